/// Increasing delays between attempts, varied at random so that many clients of a failed server do not retry together.
///
/// A pure value: random numbers are passed to its functions.
package struct Backoff: Hashable, Sendable {
    /// The delay after the first failure.
    package let initial: MediaTime
    /// The factor from each delay to the next; at least 1.
    package let factor: Double
    /// The longest delay, before the random variation.
    package let cap: MediaTime
    /// The range of random factors by which a delay is multiplied.
    package let jitter: ClosedRange<Double>
    /// The number of failures since the last success.
    package private(set) var failures = 0

    /// Creates a backoff without failures.
    ///
    /// - Parameters:
    ///   - initial: The delay after the first failure. Default: 1 s.
    ///   - factor: The factor from each delay to the next; at least 1. Default: 2.
    ///   - cap: The longest delay, before the random variation.
    ///   - jitter: The range of random factors by which a delay is multiplied. Default: no variation.
    package init(
        initial: MediaTime = MediaTime(value: 1, timescale: 1),
        factor: Double = 2,
        cap: MediaTime,
        jitter: ClosedRange<Double> = 1...1
    ) {
        self.initial = max(initial, .zero)
        self.factor = max(factor, 1)
        self.cap = cap
        self.jitter = jitter
    }

    /// Counts a failure, and returns the delay before the next attempt.
    ///
    /// - Parameter random: A random number from 0, for the shortest delay, to 1, for the longest.
    package mutating func failed(random: Double) -> MediaTime {
        failures += 1
        return pause(afterFailure: failures, random: random)
    }

    /// Resets the number of failures to 0, after a success.
    package mutating func reset() { failures = 0 }

    /// Returns the delay after a number of failures in succession.
    ///
    /// - Parameters:
    ///   - count: The number of failures, 1 or more.
    ///   - random: A random number from 0, for the shortest delay, to 1, for the longest.
    package func pause(afterFailure count: Int, random: Double) -> MediaTime {
        var seconds = initial.seconds
        var remaining = count - 1
        // Growth ends at the longest pause, so it never overflows.
        while remaining > 0, seconds > 0, seconds < cap.seconds, factor > 1 {
            seconds *= factor
            remaining -= 1
        }
        let draw = random.isFinite ? min(max(random, 0), 1) : 0.5
        let share = jitter.lowerBound + (jitter.upperBound - jitter.lowerBound) * draw
        return MediaTime(seconds: min(seconds, cap.seconds) * share, preferredTimescale: 1_000_000_000)
    }
}
