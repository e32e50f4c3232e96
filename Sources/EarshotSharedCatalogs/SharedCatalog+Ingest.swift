import EarshotCatalogs
import EarshotCore
import EarshotNodes
import Foundation

extension SharedCatalog {
    /// References that are in a segment of the bucket, and not in the catalog yet.
    struct Prepared: Sendable {
        /// The segment; `nil` if no reference could be laid out.
        var segment: StoredSegment?
        /// The references that could not be laid out, with the reasons.
        var failures: [(id: ReferenceID, error: EarshotError)]
    }

    /// Writes references as one segment, and puts it into the bucket, whatever the catalog holds: the commit refuses taken names.
    ///
    /// - Throws: `storeUnavailable`, `writeFailed`, `catalogInvalid`.
    func prepare(_ additions: [Catalog.Addition]) async throws(EarshotError) -> Prepared {
        let limits = view.manifest.limits
        let (difference, failures) = try await BlockingWork.run { () throws(EarshotError) in
            var catalog = Catalog(queryLimits: limits)
            let outcomes = try catalog.add(additions, duplicates: .ignore)
            let failures = outcomes.compactMap { outcome in outcome.failure.map { (outcome.id, $0) } }
            return (try CatalogDifference(catalog, from: []), failures)
        }
        guard difference.addedCount > 0 else { return Prepared(failures: failures) }
        let segment = try await store { url throws(EarshotError) in try difference.write(to: url) }
        return Prepared(segment: segment, failures: failures)
    }

    /// Adds the references of a segment, and ends their files with it.
    ///
    /// - Returns: `false` if the node does not hold all of the files, or one of the names is taken: then nothing changed.
    func commit(_ segment: StoredSegment, heldBy node: NodeID) async throws(EarshotError) -> Bool {
        try await manifests.commit(SharedChange(addition: segment.addition, holder: node), to: name) != nil
    }
}

extension SharedCatalog.StoredSegment {
    /// Removes the file on this node. The object in the bucket stays.
    func remove() { try? FileManager.default.removeItem(at: file) }
}
