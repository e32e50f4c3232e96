import EarshotCore

/// Where a source stands in its ``ReconnectPolicy``.
struct ReconnectSchedule {
    let policy: ReconnectPolicy
    /// Failures in a row.
    private(set) var failures = 0
    private var lostAt: MediaTime?

    init(_ policy: ReconnectPolicy) {
        self.policy = policy
    }

    /// A connection has given sound.
    mutating func connected() {
        lostAt = nil
    }

    /// A connection was lost, or could not be opened.
    ///
    /// - Parameters:
    ///   - lasted: How long it gave sound; nothing when it did not.
    ///   - now: The clock's time.
    ///   - random: A number from 0 to 1, for the jitter.
    /// - Returns: How long to wait before the next attempt; nothing when it is time to give up.
    mutating func failed(after lasted: MediaTime?, at now: MediaTime, random: Double) -> MediaTime? {
        if let lasted, lasted >= policy.goodStretch { failures = 0 }
        let lostAt = self.lostAt ?? now
        self.lostAt = lostAt
        if let attempts = policy.attempts, failures >= attempts { return nil }
        let delay = delay(afterFailures: failures, random: random)
        failures += 1
        if let limit = policy.longestOutage, now + delay - lostAt > limit { return nil }
        return delay
    }

    private func delay(afterFailures count: Int, random: Double) -> MediaTime {
        var delay = max(policy.firstDelay, .zero)
        // Doubling ends at the longest pause, so it never overflows.
        for _ in 0..<count where delay < policy.longestDelay { delay += delay }
        delay = min(delay, policy.longestDelay)
        let part = min(max(policy.jitter, 0), 1) * min(max(random, 0), 1)
        guard part > 0 else { return delay }
        return delay.converted(toTimescale: 1_000_000_000).scaled(byFraction: 1 - part)
    }
}
