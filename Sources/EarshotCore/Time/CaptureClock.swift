/// Converts times of a captured stream to the clock time at which they were heard.
///
/// Audio arrives with a varying delay. The smallest delay of the last half minute is used, so that a late buffer does
/// not change earlier times, and a drift of the capture clock is followed.
package struct CaptureClock: Sendable {
    /// The shortest time for which a delay is remembered, in seconds; the longest is twice that.
    private static let memory = 30.0

    /// Clock less stream time, the least of the present and of the last half minute.
    private var present: Double?
    private var previous: Double?
    private var began = 0.0

    /// Creates a clock without recorded arrivals.
    package init() {}

    /// Records the arrival of audio.
    ///
    /// - Parameters:
    ///   - end: The stream's time at the end of the arrived audio, in seconds.
    ///   - now: The clock time of the arrival.
    package mutating func note(_ end: Double, arrivedAt now: MediaTime) {
        let now = now.seconds
        if now - began > Self.memory {
            (previous, present, began) = (present, nil, now)
        }
        present = min(present ?? .infinity, now - end)
    }

    /// Removes all recorded arrivals, for a stream whose times begin again.
    package mutating func reset() { self = CaptureClock() }

    /// Returns the clock time at which a moment of the stream was heard.
    ///
    /// - Parameter time: The stream's time, in seconds.
    package func instant(of time: Double) -> MediaTime {
        let offset = min(present ?? .infinity, previous ?? .infinity)
        return MediaTime(seconds: time + (offset.isFinite ? offset : 0), preferredTimescale: 1_000_000)
    }
}
