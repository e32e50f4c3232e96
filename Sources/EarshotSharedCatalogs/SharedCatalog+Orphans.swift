package import EarshotCore
package import EarshotNodes
package import Foundation

/// Orphans: objects of the catalog in the bucket that the database does not know. A database that was restored does not know the objects that
/// were put after its dump.
extension SharedCatalog {
    /// Finds orphans, and tells the database of them, if no other node does. ``collectGarbage(_:after:)`` removes them a day later.
    ///
    /// They are not removed at once: an older dump may have been restored by mistake, and the right one needs them.
    ///
    /// - Parameters:
    ///   - seconds: The age of an orphan at least, in seconds: younger objects may be of a change that is being made.
    ///   - now: The time.
    /// - Returns: The number of orphans; `nil` while another node does it.
    /// - Throws: `storeUnavailable`.
    @discardableResult
    package func announceOrphans(
        _ keeper: LeaseKeeper,
        after seconds: Double = SharedCatalog.garbageAge,
        at now: Date = Date()
    ) async throws(EarshotError) -> Int? {
        try await keeper.run("garbage/\(name)") { _ async throws(EarshotError) in
            var count = 0
            try await self.eachOrphans(after: seconds, at: now) { objects async throws(EarshotError) in
                for object in objects { try await self.manifests.announce(object, in: self.name) }
                count += objects.count
            }
            return count
        }
    }

    /// Returns the number of orphans. Nothing is changed.
    ///
    /// - Throws: `storeUnavailable`.
    package func orphanCount(
        after seconds: Double = SharedCatalog.garbageAge,
        at now: Date = Date()
    ) async throws(EarshotError) -> Int {
        var count = 0
        try await eachOrphans(after: seconds, at: now) { count += $0.count }
        return count
    }

    /// Calls `body` with the orphans of each page of the bucket's list.
    ///
    /// - Parameters:
    ///   - seconds: The least age of an orphan, in seconds.
    ///   - now: The time.
    ///   - body: Given the names of objects.
    private func eachOrphans(
        after seconds: Double,
        at now: Date,
        _ body: ([String]) async throws(EarshotError) -> Void
    ) async throws(EarshotError) {
        var token: String?
        repeat {
            let page = try await cache.objects.list(SharedSegment.prefix(of: name), after: token)
            let objects = page.objects.filter { $0.modified.addingTimeInterval(seconds) <= now }
                .compactMap { SharedSegment.object(ofKey: $0.key, in: name) }
            if !objects.isEmpty { try await body(try await manifests.unknown(objects, to: name)) }
            // A store that repeats its token would never end.
            guard page.next != token else { return }
            token = page.next
        } while token != nil && !Task.isCancelled
    }
}
