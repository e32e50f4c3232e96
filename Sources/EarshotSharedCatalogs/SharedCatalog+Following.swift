package import EarshotCore
import Synchronization

extension SharedCatalog {
    /// Follows the catalog until the task is canceled.
    ///
    /// - Parameters:
    ///   - hints: An element for each change that another node announces. Elements may get lost.
    ///   - failed: Called once for each failure, however long it lasts.
    package func follow(
        hints: AsyncStream<Void> = AsyncStream { $0.finish() },
        failed: @escaping @Sendable (EarshotError) -> Void = { _ in }
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in hints { self.wake.continuation.yield() } }
            group.addTask {
                while !Task.isCancelled {
                    let next = self.clock.now.seconds + Self.pollInterval
                    guard
                        (try? await self.clock.sleep(until: MediaTime(seconds: next, preferredTimescale: 1_000_000)))
                            != nil
                    else { return }
                    self.wake.continuation.yield()
                }
            }
            group.addTask {
                var told: String?
                for await _ in self.wake.stream {
                    do throws(EarshotError) {
                        try await self.refresh()
                        told = nil
                    } catch {
                        if error.code != .cancelled, error.message != told {
                            told = error.message
                            failed(error)
                        }
                    }
                    let untold = self.state.withLock { state in
                        defer { state.untold = [] }
                        return state.untold
                    }
                    for error in untold { failed(error) }
                }
            }
            await group.waitForAll()
        }
    }

    /// Looks for changes, and has what is new fetched in the background.
    ///
    /// - Throws: `storeUnavailable` if the database cannot be reached, `catalogAddressInvalid` if the catalog was removed.
    package func refresh() async throws(EarshotError) {
        let isDue: Bool = try await turnstile.run { () async throws(EarshotError) in
            let now = clock.now.seconds
            // Retired segments keep their files mapped, so they must go even while the database does not answer.
            state.withLock { state in state.retired = state.retired.filter { $0.value.end > now } }
            let known = view
            let stamp: String?
            do throws(EarshotError) {
                stamp = try await manifests.stamp(of: name)
            } catch {
                // Without the database, segments that were fetched meanwhile are still taken into the view, and others are fetched.
                if !(known.missing.isEmpty && known.replaced.isEmpty) { show(known.manifest, []) }
                throw error
            }
            let isStale = state.withLock { $0.isStale }
            if stamp == known.manifest.stamp, known.missing.isEmpty, known.replaced.isEmpty, !isStale {
                return state.withLock { state in
                    state.contact = clock.now.seconds
                    defer { if state.nextEviction <= now { state.nextEviction = now + Self.evictionInterval } }
                    return state.nextEviction <= now
                }
            }
            guard let manifest = try await manifests.manifest(of: name) else { throw SharedManifest.missing(name) }
            let seen = state.withLock { $0.known }
            let isNew = manifest.segments.contains { segment in
                !segment.sources.isEmpty && seen[segment.object] == nil && self.cache.open(segment.object) == nil
            }
            let dropped = isNew ? try await manifests.dropped(of: name) : []
            defer { state.withLock { $0.contact = clock.now.seconds } }
            show(manifest, dropped)
            return true
        }
        guard isDue else { return }
        let (cache, idle, needed) = (cache, idle, state.withLock { $0.needed })
        try await BlockingWork.run { () throws(EarshotError) in cache.evict(keeping: needed, idle: idle) }
    }

    /// Waits until all segments are here.
    ///
    /// - Throws: The reason why one cannot be had; `storeUnavailable` if the database cannot be reached.
    package func load() async throws(EarshotError) {
        while true {
            try await refresh()
            guard let next = view.missing.first else { return }
            _ = try await cache.segment(next.object, size: next.size)
        }
    }

    func fetch(_ object: String) {
        let begin = clock.now.seconds
        let (size, isLocal) = state.withLock { $0.fetching[object] } ?? (0, false)
        Task { [weak self, cache, clock] in
            var failure: EarshotError?
            do throws(EarshotError) {
                _ = try await cache.segment(object, size: size)
            } catch {
                failure = error
            }
            guard let self else { return }
            let now = clock.now.seconds
            self.state.withLock { state in
                state.fetching[object] = nil
                guard let failure else { return state.pacing.succeeded(object, isLocal: isLocal, at: now) }
                if state.pacing.failed(object, failure, from: begin, at: now) { state.untold.append(failure) }
            }
            if failure == nil { self.wake.continuation.yield() }
        }
    }
}
