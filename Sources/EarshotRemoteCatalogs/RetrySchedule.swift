public import EarshotCore

/// How long to wait before asking again after failures: 1, 2, 4 … 300 s, each pause up to a fifth longer or shorter, so
/// that many who lost one server do not come back to it together.
public struct RetrySchedule: Hashable, Sendable {
    /// The longest pause before it is varied, in seconds.
    public static let longestPause = 300.0
    /// The share of a pause by which it is varied at most, either way.
    public static let jitter = 0.2

    /// Failures since the last success.
    public private(set) var failures = 0

    /// A schedule without failures.
    public init() {}

    /// Counts a failure and gives the pause after it.
    ///
    /// - Parameter draw: A random number from 0 to 1; one half leaves the pause as it is.
    public mutating func pauseAfterFailure(draw: Double) -> MediaTime {
        // Beyond 2^9 the longest pause holds anyway.
        let plain = min(Double(1 << min(failures, 9)), Self.longestPause)
        failures += 1
        let draw = draw.isFinite ? min(max(draw, 0), 1) : 0.5
        return MediaTime(seconds: plain * (1 + Self.jitter * (2 * draw - 1)), preferredTimescale: 1_000_000)
    }

    /// Forgets the failures: after a success, and when the network is back.
    public mutating func reset() { failures = 0 }
}
