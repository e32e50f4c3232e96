/// Growing pauses between attempts, varied at random so that many clients of a lost server do not come back together.
///
/// A pure value: it takes its random numbers as arguments.
package struct Backoff: Hashable, Sendable {
    /// The pause after the first failure.
    package let initial: MediaTime
    /// The ratio of each pause to the one before it; at least 1.
    package let factor: Double
    /// The longest pause, before it is varied.
    package let cap: MediaTime
    /// The share of the pause that is waited, by chance.
    package let jitter: ClosedRange<Double>
    /// Failures since the last success.
    package private(set) var failures = 0

    /// Creates a backoff without failures.
    ///
    /// - Parameters:
    ///   - initial: The pause after the first failure.
    ///   - factor: The ratio of each pause to the one before it.
    ///   - cap: The longest pause, before it is varied.
    ///   - jitter: The share of the pause that is waited, by chance.
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

    /// Counts a failure.
    ///
    /// - Parameter random: A number from 0, for the shortest pause, to 1, for the longest.
    /// - Returns: The pause after it.
    package mutating func failed(random: Double) -> MediaTime {
        failures += 1
        return pause(afterFailure: failures, random: random)
    }

    /// Forgets the failures.
    package mutating func reset() { failures = 0 }

    /// Returns the pause after a number of failures in a row.
    ///
    /// - Parameters:
    ///   - count: The failures, 1 or more.
    ///   - random: A number from 0, for the shortest pause, to 1, for the longest.
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
