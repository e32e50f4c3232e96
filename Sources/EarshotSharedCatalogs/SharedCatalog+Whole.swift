package import EarshotCatalogs
package import EarshotCore
import Synchronization

/// Access to references that other nodes hold. Their segments are fetched; the files stay for some minutes, and longer while there is room.
extension SharedCatalog {
    /// `true` if segments are placed on nodes and some of them are not here. A search then asks other nodes.
    package var isSpread: Bool {
        state.withLock { state in
            state.placement(of: state.view.manifest) != nil && place != nil
                && !(state.view.elsewhere.isEmpty && state.view.missing.isEmpty)
        }
    }

    /// `true` if other nodes hold segments that are not here.
    package var isHeldElsewhere: Bool { !view.elsewhere.isEmpty }

    /// The number of references in the whole catalog, wherever their segments are.
    package var referenceCount: Int { view.manifest.count }

    /// The bytes of all segments.
    package var byteCount: Int { view.manifest.size }

    /// Returns the catalog with all its references. Segments that other nodes hold are fetched first.
    ///
    /// - Throws: `storeUnavailable` if the bucket cannot be reached, `storeDamaged`, `writeFailed` if the segments would take from the reserve of the
    ///   disk.
    package func whole() async throws(EarshotError) -> Catalog {
        let view = view
        return view.elsewhere.isEmpty ? view.catalog : try await catalog(of: view) { _ in true }
    }

    /// Returns a catalog in which some references are, if they are in the whole: this node's, or one of the segments that hold them.
    ///
    /// - Throws: As ``whole()``; `storeUnavailable` if the database cannot be reached and this node does not have all.
    package func part(with names: [ReferenceID]) async throws(EarshotError) -> Catalog {
        var view = view
        if view.elsewhere.isEmpty || names.allSatisfy(view.catalog.contains) { return view.catalog }
        let objects = Set(try await manifests.objects(holding: names, in: name))
        if !objects.isSubset(of: view.manifest.segments.map(\.object)) {
            try await refresh()
            view = self.view
        }
        return try await catalog(of: view) { objects.contains($0.object) }
    }

    /// Returns `true` if the catalog has a reference of a name, on whatever node.
    ///
    /// - Throws: `storeUnavailable` if the database cannot be reached and this node does not have all.
    package func contains(_ name: ReferenceID) async throws(EarshotError) -> Bool {
        let view = view
        if view.catalog.contains(name) { return true }
        guard !view.elsewhere.isEmpty else { return false }
        return try await !manifests.objects(holding: [name], in: self.name).isEmpty
    }

    /// Returns a catalog of some segments of a view's manifest, in its order. Those that are not here are fetched.
    private func catalog(
        of view: View,
        where isWanted: (SharedSegment) -> Bool
    ) async throws(EarshotError) -> Catalog {
        var parts: [SegmentPart] = []
        let others = view.foreign
        for segment in view.manifest.segments where segment.count > 0 && isWanted(segment) {
            parts.append(SegmentPart(try await fetched(segment, others), removed: segment.removed))
        }
        return Self.catalog(name, view.manifest, parts)
    }

    /// Returns a segment for other work than searching, and fetches it if it is not here. Segments that other nodes hold may not use the reserve
    /// of the disk.
    ///
    /// - Parameter others: The objects that other nodes hold.
    func fetched(_ segment: SharedSegment, _ others: Set<String>) async throws(EarshotError) -> SegmentFile {
        try await cache.segment(segment.object, size: segment.size, isOwn: !others.contains(segment.object))
    }
}
