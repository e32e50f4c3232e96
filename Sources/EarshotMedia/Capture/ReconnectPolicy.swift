public import EarshotCore

/// The number of attempts to reopen a lost source, and the delays between them.
///
/// The delay doubles with each failure in succession: 1, 2, 4 … seconds up to the longest one. After a connection that
/// lasted ``goodStretch`` it starts again with the first.
public struct ReconnectPolicy: Hashable, Sendable {
    /// The delay before the first attempt. Default: 1 s.
    public var firstDelay = MediaTime(value: 1, timescale: 1)
    /// The longest delay. Default: 30 s.
    public var longestDelay = MediaTime(value: 30, timescale: 1)
    /// The largest fraction, from 0 to 1, by which a delay is randomly shortened, so that many clients of one server do
    /// not reconnect at the same moment. Default: 0.
    public var jitter = 0.0
    /// The duration of a connection after which the delays start again from the shortest. Default: 10 s.
    public var goodStretch = MediaTime(value: 10, timescale: 1)
    /// The number of failed attempts in succession after which the source gives up; `nil` for no limit.
    public var attempts: Int?
    /// The longest outage after which the source still reconnects; `nil` for no limit. No attempt is made later.
    public var longestOutage: MediaTime?

    /// Creates the default policy: delays from 1 s to 30 s, without a limit of attempts and without randomness.
    public init() {}

    /// A policy without attempts: a lost source is not reopened, and its sequence throws.
    public static let never: ReconnectPolicy = {
        var policy = ReconnectPolicy()
        policy.attempts = 0
        return policy
    }()

    /// The default policy with delays randomly shortened by up to a fifth.
    public static let network: ReconnectPolicy = {
        var policy = ReconnectPolicy()
        policy.jitter = 0.2
        return policy
    }()
}
