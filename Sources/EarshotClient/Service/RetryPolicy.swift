public import EarshotCore

/// The number of attempts and the delays between them, for requests that fail temporarily.
///
/// Temporary failures are a connection that could not be opened or was lost, and a service that is busy or gets too
/// many requests (429 and 503). Each delay is longer than the previous one and partly random, so that clients that
/// failed together do not retry together.
public struct RetryPolicy: Hashable, Sendable {
    /// The largest number of attempts, including the first.
    public var attempts: Int
    /// The delay after the first failed attempt.
    public var firstDelay: MediaTime
    /// The factor by which each delay is longer than the previous one.
    public var factor: Double
    /// The longest delay. A request is not repeated if the service asks for a longer one.
    public var longestDelay: MediaTime

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - attempts: The largest number of attempts, including the first. Default: 4.
    ///   - firstDelay: The delay after the first failed attempt. Default: 0.5 s.
    ///   - factor: The factor by which each delay is longer than the previous one. Default: 2.
    ///   - longestDelay: The longest delay. Default: 20 s.
    public init(
        attempts: Int = 4,
        firstDelay: MediaTime = MediaTime(value: 500, timescale: 1000),
        factor: Double = 2,
        longestDelay: MediaTime = MediaTime(value: 20, timescale: 1)
    ) {
        self.attempts = max(1, attempts)
        self.firstDelay = firstDelay
        self.factor = max(1, factor)
        self.longestDelay = longestDelay
    }

    /// The default policy: four attempts, with delays of up to 0.5, 1 and 2 s.
    public static let standard = RetryPolicy()
    /// A policy without retries: one attempt.
    public static let none = RetryPolicy(attempts: 1)

    /// Returns the delay after a failed attempt; `nil` if the request must not be repeated.
    ///
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - requested: The delay that the service asked for, which is the shortest result; `nil` if it asked for none.
    ///   - random: A random number from 0 to 1.
    public func delay(after attempt: Int, requested: MediaTime?, random: Double) -> MediaTime? {
        guard attempt >= 1, attempt < attempts else { return nil }
        if let requested, requested > longestDelay { return nil }
        let backoff = Backoff(initial: firstDelay, factor: factor, cap: longestDelay, jitter: 0.5...1)
        return max(backoff.pause(afterFailure: attempt, random: random), requested ?? .zero)
    }

    /// Returns `true` if a failure may be over the next time.
    static func isPassing(_ code: EarshotError.Code) -> Bool {
        code == .networkUnavailable || code == .tooManyRequests || code == .serviceBusy || code == .searchIncomplete
    }
}
