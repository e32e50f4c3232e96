public import EarshotCore

/// The number of attempts to reopen a lost source, and the delays between them.
///
/// The pause doubles with each failure in a row: 1, 2, 4 … seconds up to the longest one. After a connection that lasted a
/// good stretch it begins anew.
public struct ReconnectPolicy: Hashable, Sendable {
    /// The pause before the first attempt.
    public var firstDelay = MediaTime(value: 1, timescale: 1)
    /// The longest pause.
    public var longestDelay = MediaTime(value: 30, timescale: 1)
    /// The part, from 0 to 1, by which a pause may be shortened at random, so that many listeners of one server do not
    /// come back at the same moment.
    public var jitter = 0.0
    /// The duration of a connection after which the delays start again from the shortest.
    public var goodStretch = MediaTime(value: 10, timescale: 1)
    /// Attempts in a row after which the source gives up; without limit if `nil`.
    public var attempts: Int?
    /// The longest outage after which a source still reconnects; `nil` for no limit. No attempt is made later than
    /// that.
    public var longestOutage: MediaTime?

    /// One second at first, 30 at most, without end and without chance.
    public init() {}

    /// A lost source is not opened again: its sequence throws.
    public static let never: ReconnectPolicy = {
        var policy = ReconnectPolicy()
        policy.attempts = 0
        return policy
    }()

    /// Like a plain policy, with pauses up to a fifth shorter at random.
    public static let network: ReconnectPolicy = {
        var policy = ReconnectPolicy()
        policy.jitter = 0.2
        return policy
    }()
}
