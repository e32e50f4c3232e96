package import EarshotCatalogs
package import EarshotCore
import EarshotNodes
import Foundation

extension SharedCatalog {
    /// Changes the catalog in one step: all of the change or, should it fail or the process end, nothing of it. When this returns it is
    /// kept, and this node searches it; the others do within two seconds.
    ///
    /// - Parameter body: Changes the catalog, and may search it. It runs again if another node changed the same references
    ///   meanwhile, so it must change nothing else.
    /// - Returns: The value of the body.
    /// - Throws: The error of the body, `storeUnavailable` if the database or the bucket cannot be reached, `writeFailed`. If the database
    ///   did not say in time whether the change is kept, it may still become true, as the message says; the same change may be made again.
    @discardableResult
    package func change<Value: Sendable>(
        _ body: @escaping @Sendable (inout Catalog) throws -> Value
    ) async throws(EarshotError) -> Value {
        try await writer.submit(body) { changes async throws(EarshotError) in try await self.commit(changes) }
    }

    /// The most times that a change is made again after other nodes committed first.
    private static let attempts = 16

    /// Commits changes as one, and makes them again while other nodes are faster.
    ///
    /// - Throws: `storeUnavailable` if other nodes were faster each time, or the database or the bucket cannot be reached.
    private func commit(_ changes: [any PendingChange]) async throws(EarshotError) {
        for attempt in 0..<Self.attempts {
            if attempt > 1 {
                let next = clock.now.seconds + Double.random(in: 0.01...0.05) * Double(attempt)
                try? await clock.sleep(until: MediaTime(seconds: next, preferredTimescale: 1_000_000))
            }
            let view = try await current()
            let difference = try await BlockingWork.run { () throws(EarshotError) in
                var catalog = view.catalog
                for change in changes { change.apply(to: &catalog) }
                return try CatalogDifference(catalog, from: view.parts)
            }
            guard !difference.isEmpty else { return }
            var addition: StoredSegment?
            if difference.addedCount > 0 {
                addition = try await store { url throws(EarshotError) in try difference.write(to: url) }
            }
            defer { if let addition { try? FileManager.default.removeItem(at: addition.file) } }
            let change = SharedChange(
                removed: difference.removed,
                addition: addition?.addition,
                base: view.manifest.generation
            )
            if try await commit(change) {
                // The change is kept. If this node cannot adopt or refresh now, its follower does it later.
                if let addition { _ = try? await cache.adopt(addition.file, as: addition.addition.object) }
                try? await refresh()
                return
            }
        }
        throw EarshotError(.storeUnavailable, "The catalog \(name) is being changed by others: try again.")
    }

    /// Commits a change, and finds out if it is kept when the answer of the store was lost.
    ///
    /// - Returns: `false` if another node was faster, so that the change is to be made again.
    /// - Throws: The error of the store. If it is unavailable, the change may still become true: whoever makes it again decides on the
    ///   catalog as it is then, and a change that became true meanwhile has taken the names.
    private func commit(_ change: SharedChange) async throws(EarshotError) -> Bool {
        do throws(EarshotError) {
            return try await manifests.commit(change, to: name) != nil
        } catch {
            // The store may have committed, and only its answer got lost. No object is ever added twice, so its presence proves the commit.
            guard error.code == .storeUnavailable, let addition = change.addition,
                (try? await isKept(addition.object)) == true
            else { throw error }
            return true
        }
    }

    /// Returns `true` if the catalog has the segment of an object, or had it until it was merged.
    private func isKept(_ object: String) async throws(EarshotError) -> Bool {
        if try await manifests.manifest(of: name)?.segments.contains(where: { $0.object == object }) == true {
            return true
        }
        return try await manifests.dropped(of: name).contains { $0.object == object }
    }

    /// Returns the view of the newest manifest with all segments, which are fetched first: a change must not be decided on what another node
    /// has changed already.
    private func current() async throws(EarshotError) -> View {
        try await refresh()
        let missing = view.missing + view.elsewhere
        guard !missing.isEmpty else { return view }
        let others = view.foreign
        for segment in missing { _ = try await fetched(segment, others) }
        expire()
        try await refresh()
        guard view.missing.isEmpty, view.elsewhere.isEmpty else {
            throw EarshotError(.storeUnavailable, "The catalog \(name) is being changed by others: try again.")
        }
        return view
    }

    /// A segment that is in the bucket, and in a file of this node which the caller removes or lets the cache adopt.
    struct StoredSegment {
        let file: URL
        let addition: SharedChange.Addition
    }

    /// Writes a segment and puts it into the bucket. The object is announced before, so that it is garbage if no commit follows.
    ///
    /// - Throws: `storeUnavailable`, `writeFailed`, `catalogInvalid`.
    func store(_ write: @escaping @Sendable (URL) throws(EarshotError) -> Void) async throws(EarshotError)
        -> StoredSegment
    {
        let place = cache.workplace()
        do throws(EarshotError) {
            let file = try await BlockingWork.run { () throws(EarshotError) in
                try write(place)
                return try SegmentFile(contentsOf: place)
            }
            let digest = try await SegmentCache.digest(of: place)
            let names = try await BlockingWork.run { () throws(EarshotError) in
                try (0..<file.referenceCount).map { number throws(EarshotError) in
                    guard let id = file.id(number) else {
                        throw EarshotError(
                            .catalogInvalid,
                            "A name in a new segment of the catalog \(self.name) cannot be read: add its references again."
                        )
                    }
                    return id
                }
            }
            let object = SharedSegment.object(digest: digest)
            try await manifests.announce(object, in: name)
            try await cache.objects.keep(
                place,
                size: file.byteCount,
                sha256: digest,
                as: SharedSegment.key(object, in: name)
            )
            return StoredSegment(
                file: place,
                addition: SharedChange.Addition(
                    object: object,
                    size: file.byteCount,
                    frameCount: file.frameCount,
                    postingCount: file.postingCount,
                    names: names
                )
            )
        } catch {
            try? FileManager.default.removeItem(at: place)
            throw error
        }
    }
}
