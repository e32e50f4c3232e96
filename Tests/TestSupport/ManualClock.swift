package import EarshotCore
import Synchronization

/// A clock that stands still until a test moves it.
package final class ManualClock: Sendable {
    private struct State {
        var now = MediaTime.zero
        var sleepers: [(id: Int, time: MediaTime, continuation: CheckedContinuation<Void, Never>)] = []
        var nextID = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The clock as code under test takes it.
    package var clock: MediaClock {
        MediaClock(read: { self.now }, wait: { try await self.wait(until: $0) })
    }

    package var now: MediaTime { state.withLock { $0.now } }

    /// How many wait for a time to come.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock on and wakes whoever waited for less.
    package func advance(by seconds: Double) {
        let due = state.withLock { state in
            state.now = state.now + MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)
            let due = state.sleepers.filter { $0.time <= state.now }.sorted { $0.time < $1.time }
            state.sleepers.removeAll { $0.time <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    private func wait(until time: MediaTime) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard time > state.now, !Task.isCancelled else { return true }
                    state.sleepers.append((id, time, continuation))
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume()
        }
        try Task.checkCancellation()
    }
}
