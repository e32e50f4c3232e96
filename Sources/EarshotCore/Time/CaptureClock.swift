/// Says at which instant of a clock a moment of captured audio was heard.
///
/// Audio arrives with a delay that varies. The smallest delay of the last half minute counts, so that a late buffer
/// does not move earlier times, and a capture clock that drifts is followed.
package struct CaptureClock: Sendable {
    /// The shortest time for which a delay is remembered, in seconds; the longest is twice that.
    private static let memory = 30.0

    /// Clock less stream time, the least of the present and of the last half minute.
    private var present: Double?
    private var previous: Double?
    private var began = 0.0

    /// A clock that knows no arrival yet.
    package init() {}

    /// Takes note of an arrival.
    ///
    /// - Parameters:
    ///   - end: The stream's time at the end of the audio that arrived, in seconds.
    ///   - now: The time of arrival.
    package mutating func note(_ end: Double, arrivedAt now: MediaTime) {
        let now = now.seconds
        if now - began > Self.memory {
            (previous, present, began) = (present, nil, now)
        }
        present = min(present ?? .infinity, now - end)
    }

    /// Forgets all, for a stream whose times begin anew.
    package mutating func reset() { self = CaptureClock() }

    /// The time at which a moment of the stream was heard.
    package func instant(of time: Double) -> MediaTime {
        let offset = min(present ?? .infinity, previous ?? .infinity)
        return MediaTime(seconds: time + (offset.isFinite ? offset : 0), preferredTimescale: 1_000_000)
    }
}
