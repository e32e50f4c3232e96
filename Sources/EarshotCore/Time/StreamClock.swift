import Synchronization

/// A clock that shows how much of a recording has been read, whatever time that took: with it a recording is followed as fast
/// as it can be read, and what is measured by the clock is as if it had been heard.
public final class StreamClock: Sendable {
    private struct State {
        var now = MediaTime.zero
        var sleepers: [(number: Int, time: MediaTime, continuation: CheckedContinuation<Void, Never>)] = []
        var count = 0
    }

    private let state = Mutex(State())

    /// A clock at zero.
    public init() {}

    /// The clock, for who is to go by it.
    public var clock: MediaClock { MediaClock(read: { self.now }, wait: { try await self.wait(until: $0) }) }

    /// What the clock shows.
    public var now: MediaTime { state.withLock { $0.now } }

    /// Moves the clock on, and lets those go on who waited for a time until then. It never steps back.
    public func advance(to time: MediaTime) {
        let due = state.withLock { state in
            state.now = max(state.now, time)
            let due = state.sleepers.filter { $0.time <= state.now }.sorted { $0.time < $1.time }
            state.sleepers.removeAll { $0.time <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    private func wait(until time: MediaTime) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard time > state.now, !Task.isCancelled else { return true }
                    state.sleepers.append((number, time, continuation))
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume()
        }
        try Task.checkCancellation()
    }
}
