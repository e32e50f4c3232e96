import Synchronization

/// A clock that shows how much of a recording has been read. Work that follows it runs as fast as the recording can be
/// read, and measures the times at which the audio would have been heard.
public final class StreamClock: Sendable {
    private struct State {
        var now = MediaTime.zero
        var sleepers: [(number: Int, time: MediaTime, continuation: CheckedContinuation<Void, Never>)] = []
        var count = 0
    }

    private let state = Mutex(State())

    /// Creates a clock at zero.
    public init() {}

    /// A media clock that reads this clock.
    public var clock: MediaClock { MediaClock(read: { self.now }, wait: { try await self.wait(until: $0) }) }

    /// The current time of the clock.
    public var now: MediaTime { state.withLock { $0.now } }

    /// Advances the clock, and resumes the tasks that wait for a time until then. It never goes back.
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
