public import EarshotCatalogs
import EarshotCore
import Synchronization

extension RemoteCatalog {
    /// The catalogs that take the place of ``current`` from now on.
    ///
    /// While anyone reads such a sequence, the server is asked: at once, then after each interval, and after failures in
    /// growing pauses of 1 to 300 s. Each call gives a sequence of its own; who reads slowly gets the newest only. It ends
    /// when its reader's task is canceled, or with this object.
    public var updates: AsyncStream<Catalog> {
        state.withLock { state in
            defer { if state.driver == nil { state.driver = driver() } }
            return broadcast.events { [weak self] in self?.rest() }
        }
    }

    /// Stops asking when nobody listens any more.
    private func rest() {
        state.withLock { state in
            guard broadcast.isEmpty else { return }
            state.driver?.cancel()
            state.driver = nil
        }
    }

    /// Says that the network is there again: a pause of ``updates`` ends, and the schedule begins anew.
    public func networkReturned() {
        state.withLock { state in
            state.isNetworkBack = true
            state.pause?.cancel()
        }
    }

    /// Asks the server again and again. This object is not kept alive by it.
    private func driver() -> Task<Void, Never> {
        Task { [weak self] in
            var backoff = Backoff.downloads
            while !Task.isCancelled {
                guard let pause = await self?.attempt(&backoff) else { return }
                await withTaskCancellationHandler {
                    await pause.value
                } onCancel: {
                    pause.cancel()
                }
                if self?.endPause() == true { backoff.reset() }
            }
        }
    }

    /// Asks the server once and gives the pause that is to follow.
    private func attempt(_ backoff: inout Backoff) async -> Task<Void, Never> {
        let pause: MediaTime
        do {
            try await update()
            backoff.reset()
            pause = options.interval
            // What was said of the network before is settled by that.
            state.withLock { $0.isNetworkBack = false }
        } catch {
            pause = backoff.failed(random: options.draw())
        }
        let clock = options.clock
        return state.withLock { state in
            let isShort = state.isNetworkBack
            let task = Task { if !isShort { try? await clock.sleep(until: clock.now + pause) } }
            state.pause = task
            return task
        }
    }

    /// Returns `true` if the pause was to end because the network is back.
    private func endPause() -> Bool {
        state.withLock { state in
            defer { state.isNetworkBack = false }
            state.pause = nil
            return state.isNetworkBack
        }
    }
}
