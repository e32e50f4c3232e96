import EarshotCore
import Synchronization

/// Audio that was handed in and not looked at yet: at most ten seconds of it, then the oldest is dropped.
final class InputQueue: Sendable {
    private struct State {
        var backlog = AudioBacklog<AudioBuffer>(capacity: MediaTime(value: 10, timescale: 1))
        var dropped = MediaTime.zero
    }

    private let state = Mutex(State())

    func append(_ buffer: AudioBuffer) {
        state.withLock { $0.dropped += $0.backlog.appendDroppingOldest(buffer) }
    }

    /// All that waits, and how much before it was dropped, in seconds.
    func takeAll() -> (buffers: [AudioBuffer], dropped: Double) {
        state.withLock { state in
            defer { state = State() }
            return (state.backlog.removeAll(), state.dropped.seconds)
        }
    }
}
