/// Says at which instant of a clock a moment of captured audio was heard.
///
/// Audio arrives some time after it was heard, now more, now less. The least delay of the last half minute counts, so that
/// a late buffer does not move what was known, and a capture that runs a little fast or slow against the clock is followed.
package struct CaptureClock: Sendable {
    /// How long a delay is remembered, at least; at most twice as long. In seconds.
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
    ///   - end: The stream's time at the end of what arrived, in seconds.
    ///   - now: When it arrived.
    package mutating func note(_ end: Double, arrivedAt now: MediaTime) {
        let now = now.seconds
        if now - began > Self.memory {
            (previous, present, began) = (present, nil, now)
        }
        present = min(present ?? .infinity, now - end)
    }

    /// Forgets all, for a stream whose times begin anew.
    package mutating func reset() { self = CaptureClock() }

    /// When a moment of the stream was heard.
    package func instant(of time: Double) -> MediaTime {
        let offset = min(present ?? .infinity, previous ?? .infinity)
        return MediaTime(seconds: time + (offset.isFinite ? offset : 0), preferredTimescale: 1_000_000)
    }
}
