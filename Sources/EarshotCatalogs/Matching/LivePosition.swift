public import EarshotCore
import Synchronization

/// The current playback position in a reference. It advances with its clock, and a session that still matches the
/// reference corrects it.
public final class LivePosition: Sendable {
    /// The clock that the position advances with.
    public let clock: MediaClock
    private let state: Mutex<PositionPrediction>

    package init(_ prediction: PositionPrediction, clock: MediaClock) {
        self.clock = clock
        state = Mutex(prediction)
    }

    /// The prediction of the last correction, or of the match if there was none.
    public var prediction: PositionPrediction { state.withLock { $0 } }
    /// The position in the reference now, at most the reference's duration.
    public var current: MediaTime { prediction.position(at: clock.now) }
    /// `true` if the position has not been confirmed for more than 10 s.
    public var isStale: Bool { prediction.isStale(at: clock.now) }
    /// `true` if the position has reached the end of the reference.
    public var hasEnded: Bool { prediction.hasEnded(at: clock.now) }

    /// Replaces the prediction.
    package func correct(_ prediction: PositionPrediction) {
        state.withLock { $0 = prediction }
    }
}
