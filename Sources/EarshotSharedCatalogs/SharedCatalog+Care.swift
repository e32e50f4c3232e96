import EarshotCatalogs
package import EarshotCore
package import EarshotNodes
import EarshotSegments
package import Foundation

extension SharedCatalog {
    /// Returns the bytes of all segment files in the folder of this node.
    package func cacheSize() async throws(EarshotError) -> Int {
        let cache = cache
        return try await BlockingWork.run { () throws(EarshotError) in cache.size }
    }

    /// The time for which an object is kept after nothing needs it, in seconds: longer than any query, backup or restore takes.
    package static let garbageAge = 86_400.0

    /// Merges the segments that are due, if no other node does.
    ///
    /// - Returns: The number of merges; `nil` while another node merges.
    /// - Throws: `storeUnavailable`, `writeFailed`, `catalogInvalid`. The catalog holds the same references as before.
    @discardableResult
    package func merge(_ keeper: LeaseKeeper, compacting: Bool = false) async throws(EarshotError) -> Int? {
        try await keeper.run("merge/\(name)") { _ async throws(EarshotError) in
            var count = 0
            while !Task.isCancelled, try await self.mergeOnce(compacting: compacting) { count += 1 }
            return count
        }
    }

    private func mergeOnce(compacting: Bool) async throws(EarshotError) -> Bool {
        guard let manifest = try await manifests.manifest(of: name) else { throw SharedManifest.missing(name) }
        let sizes = manifest.segments.map {
            MergePolicy.Size(size: $0.size, entryCount: $0.referenceCount, removedCount: $0.removed.count)
        }
        guard let range = compacting ? policy.compaction(sizes) : policy.plan(sizes) else { return false }
        let sources = Array(manifest.segments[range])
        var parts: [SegmentPart] = []
        let others = view.foreign
        for source in sources where source.removed.count < source.referenceCount {
            let file = try await fetched(source, others)
            parts.append(SegmentPart(file, removed: source.removed))
        }
        var stored: StoredSegment?
        if !parts.isEmpty {
            stored = try await store { [parts] url throws(EarshotError) in
                try SegmentFile.merge(parts, limits: manifest.limits, to: url)
            }
        }
        defer { if let stored { try? FileManager.default.removeItem(at: stored.file) } }
        let merge = SharedMerge(sources: sources.map(SharedMerge.Source.init), merged: stored?.addition)
        // Another holder of the lease was faster: `true`, so that the caller plans again with the manifest as it is now.
        guard try await manifests.commit(merge, to: name) != nil else { return true }
        if let stored { _ = try? await cache.adopt(stored.file, as: stored.addition.object) }
        try? await refresh()
        return true
    }

    /// Removes objects from the bucket that nothing has needed for a day, if no other node does.
    ///
    /// - Returns: The number of objects; `nil` while another node does it.
    /// - Throws: `storeUnavailable`.
    @discardableResult
    package func collectGarbage(
        _ keeper: LeaseKeeper,
        after seconds: Double = SharedCatalog.garbageAge
    ) async throws(EarshotError) -> Int? {
        try await keeper.run("garbage/\(name)") { _ async throws(EarshotError) in
            let objects = try await self.manifests.garbage(of: self.name, after: seconds)
            for object in objects {
                try await self.cache.objects.remove(SharedSegment.key(object, in: self.name))
                try await self.manifests.forget([object], of: self.name)
            }
            return objects.count
        }
    }

    /// Compares what the manifest names with the bucket: every object is fetched and its digest is compared.
    ///
    /// - Parameters:
    ///   - workplace: The folder into which objects are written, one after the other.
    ///   - progress: Told of bytes that were compared, and of all.
    /// - Returns: A sentence for each object that is missing or damaged.
    /// - Throws: `storeUnavailable`, `writeFailed`.
    package func faults(
        in workplace: URL,
        progress: @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws(EarshotError) -> [String] {
        guard let manifest = try await manifests.manifest(of: name) else { throw SharedManifest.missing(name) }
        var faults: [String] = []
        var done = 0
        for segment in manifest.segments {
            let key = SharedSegment.key(segment.object, in: name)
            let file = workplace.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            do throws(EarshotError) {
                try await cache.objects.fetch(key, to: file)
                if try await SegmentCache.digest(of: file) != SharedSegment.digest(of: segment.object) {
                    faults.append("\(key) is damaged.")
                }
            } catch {
                guard error.code == .entityNotFound else { throw error }
                faults.append("\(key) is missing.")
            }
            done += segment.size
            progress(done, manifest.size)
        }
        return faults
    }
}
