import EarshotCore

/// The state of a source within its ``ReconnectPolicy``.
struct ReconnectSchedule {
    let policy: ReconnectPolicy
    private var backoff: Backoff
    private var lostAt: MediaTime?

    init(_ policy: ReconnectPolicy) {
        self.policy = policy
        let shortest = 1 - min(max(policy.jitter, 0), 1)
        backoff = Backoff(initial: policy.firstDelay, cap: policy.longestDelay, jitter: shortest...1)
    }

    /// A connection has given sound.
    mutating func connected() {
        lostAt = nil
    }

    /// A connection was lost, or could not be opened.
    ///
    /// - Parameters:
    ///   - lasted: The duration for which it delivered audio; `nil` if it did not.
    ///   - now: The clock's time.
    ///   - random: A number from 0, for the longest pause, to 1, for the shortest.
    /// - Returns: The delay before the next attempt; `nil` to give up.
    mutating func failed(after lasted: MediaTime?, at now: MediaTime, random: Double) -> MediaTime? {
        if let lasted, lasted >= policy.goodStretch { backoff.reset() }
        let lostAt = self.lostAt ?? now
        self.lostAt = lostAt
        if let attempts = policy.attempts, backoff.failures >= attempts { return nil }
        let delay = backoff.failed(random: 1 - random)
        if let limit = policy.longestOutage, now + delay - lostAt > limit { return nil }
        return delay
    }
}
