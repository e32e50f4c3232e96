public import EarshotCore
import Synchronization

/// The current playback position in a reference. It advances by itself, and a session that still hears the reference
/// corrects it.
public final class LivePosition: Sendable {
    /// The clock it runs on.
    public let clock: MediaClock
    private let state: Mutex<PositionPrediction>

    package init(_ prediction: PositionPrediction, clock: MediaClock) {
        self.clock = clock
        state = Mutex(prediction)
    }

    /// The prediction of the last correction.
    public var prediction: PositionPrediction { state.withLock { $0 } }
    /// The position in the reference now; never beyond its end.
    public var current: MediaTime { prediction.position(at: clock.now) }
    /// `true` if nothing has confirmed it for ten seconds.
    public var isStale: Bool { prediction.isStale(at: clock.now) }
    /// `true` if the reference is over.
    public var hasEnded: Bool { prediction.hasEnded(at: clock.now) }

    /// Puts a new prediction in place of the old one.
    package func correct(_ prediction: PositionPrediction) {
        state.withLock { $0 = prediction }
    }
}
