import EarshotCore
import Synchronization

/// Audio that was handed in and not looked at yet: at most ten seconds of it, then the oldest is dropped.
final class InputQueue: Sendable {
    /// How much may wait, in seconds.
    static let limit = 10.0

    private struct State {
        var buffers: [AudioBuffer] = []
        var seconds = 0.0
        var dropped = 0.0
    }

    private let state = Mutex(State())

    func append(_ buffer: AudioBuffer) {
        state.withLock { state in
            state.buffers.append(buffer)
            state.seconds += buffer.duration.seconds
            // One buffer longer than all that may wait is kept: whoever gives it has it in memory already.
            while state.seconds > Self.limit, state.buffers.count > 1 {
                let oldest = state.buffers.removeFirst().duration.seconds
                state.seconds -= oldest
                state.dropped += oldest
            }
        }
    }

    /// All that waits, and how much before it was dropped, in seconds.
    func takeAll() -> (buffers: [AudioBuffer], dropped: Double) {
        state.withLock { state in
            defer { state = State() }
            return (state.buffers, state.dropped)
        }
    }
}
