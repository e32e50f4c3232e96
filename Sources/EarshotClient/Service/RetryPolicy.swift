public import EarshotCore

/// The number of attempts and the delays between them, for requests that fail temporarily.
///
/// Repeated is what may go well the next time: a connection that could not be made or broke off, and a service that says
/// that it is busy or asked too often (429 and 503). Each pause is longer than the one before it, and partly left to
/// chance, so that clients that failed together do not come back together.
public struct RetryPolicy: Hashable, Sendable {
    /// The largest number of attempts, including the first.
    public var attempts: Int
    /// The first pause.
    public var firstDelay: MediaTime
    /// The factor by which each delay is longer than the previous one.
    public var factor: Double
    /// The longest pause. A service that asks for a longer one is not asked again.
    public var longestDelay: MediaTime

    /// A policy.
    ///
    /// - Parameters:
    ///   - attempts: The largest number of attempts, including the first.
    ///   - firstDelay: The first pause.
    ///   - factor: The factor by which each delay is longer than the previous one.
    ///   - longestDelay: The longest pause.
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

    /// Four attempts, with pauses of up to 0.5, 1 and 2 s.
    public static let standard = RetryPolicy()
    /// One attempt.
    public static let none = RetryPolicy(attempts: 1)

    /// The delay after a failed attempt; `nil` after the last one.
    ///
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - requested: The pause that the service asked for, if it did: it is kept to.
    ///   - random: From 0 to 1.
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
