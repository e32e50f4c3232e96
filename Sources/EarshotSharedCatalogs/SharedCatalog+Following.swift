package import EarshotCore
import Synchronization

extension SharedCatalog {
    /// Follows the catalog until the task is cancelled.
    ///
    /// - Parameters:
    ///   - hints: An element for each change that somebody tells of. They may get lost.
    ///   - failed: Told of failures, of one that lasts once.
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
        let needed: Set<String>? = try await turnstile.run { () async throws(EarshotError) in
            let known = view
            let stamp: String?
            do throws(EarshotError) {
                stamp = try await manifests.stamp(of: name)
            } catch {
                // What has come since the last look is searched all the same, and the rest is fetched.
                if !(known.missing.isEmpty && known.replaced.isEmpty) { _ = show(known.manifest, []) }
                throw error
            }
            let isStale = state.withLock { $0.isStale }
            if stamp == known.manifest.stamp, known.missing.isEmpty, known.replaced.isEmpty, !isStale {
                state.withLock { $0.contact = clock.now.seconds }
                return nil
            }
            guard let manifest = try await manifests.manifest(of: name) else { throw SharedManifest.missing(name) }
            let seen = state.withLock { $0.known }
            let isNew = manifest.segments.contains { segment in
                !segment.sources.isEmpty && seen[segment.object] == nil && self.cache.open(segment.object) == nil
            }
            let dropped = isNew ? try await manifests.dropped(of: name) : []
            defer { state.withLock { $0.contact = clock.now.seconds } }
            return show(manifest, dropped)
        }
        guard let needed else { return }
        let (cache, idle) = (cache, idle)
        try await BlockingWork.run { () throws(EarshotError) in cache.evict(keeping: needed, idle: idle) }
    }

    /// Waits until all segments are here.
    ///
    /// - Throws: The reason why one cannot be had; `storeUnavailable` if the database cannot be reached.
    package func load() async throws(EarshotError) {
        while true {
            try await refresh()
            guard let next = view.missing.first else { return }
            _ = try await cache.segment(next.object)
        }
    }

    func fetch(_ object: String) {
        Task { [weak self, cache, clock] in
            var failure: EarshotError?
            do throws(EarshotError) {
                _ = try await cache.segment(object)
            } catch {
                failure = error
            }
            guard let self else { return }
            self.state.withLock { state in
                state.fetching[object] = nil
                if let failure {
                    let known = state.failures[object]
                    if known?.error.message != failure.message { state.untold.append(failure) }
                    let pause = min(30, (known?.pause ?? 0.5) * 2)
                    state.failures[object] = (failure, clock.now.seconds + pause, pause)
                } else {
                    state.failures[object] = nil
                }
            }
            if failure == nil { self.wake.continuation.yield() }
        }
    }
}
