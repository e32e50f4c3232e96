/// The settings that decide how often a monitor looks up audio, and where. They balance network traffic and battery use
/// against delay.
///
/// Integers outside their range are set to the nearest bound without an error. A negative interval therefore turns its
/// timer off.
public struct MonitorProperties: Hashable, Sendable {
    /// The longest time without a match before a lookup in the store and the service is forced, in seconds; 0 forces none. Default: 300; at most a day.
    ///
    /// The timer catches transitions that go unnoticed, for example in a noisy room. Every match restarts it. Intervals
    /// of about 10 s or less mean continuous lookups, because making a fingerprint and asking takes about as long.
    /// Intervals below 60 s put so much load on a service that they need the agreement of its operator.
    @Snapped(0...86_400) public var onlineInterval = 300
    /// The longest time without a lookup before one in the fingerprint store is forced, in seconds; 0, the default, forces
    /// none. At most a day. Local lookups cost no traffic and may run more often; about 7 s or less means continuous lookups.
    /// The service is not asked if they find nothing.
    @Snapped(0...86_400) public var localInterval = 0
    /// The number of lookups in a row without a match after which the delay between lookups is increased; 0 means the
    /// default, 60.
    @Snapped(0...9_999_999) public var noMatchLimit = 60
    /// The seconds added to the delay between lookups each time the limit is reached. Default: 60; range: 8 s to 30
    /// days.
    @Snapped(8...2_592_000) public var noMatchIncrement = 60
    /// The largest total delay added, in seconds. Default: 300; range: 60 s to 60 days.
    @Snapped(60...5_184_000) public var noMatchMaxDelay = 300
    /// The optimization mode.
    public var optimization = OptimizationMode.accuracy
    /// `true` to search the fingerprint store only, never the service.
    public var cacheOnly = false

    /// Creates the default settings.
    public init() {}

    /// The limit as it counts.
    var effectiveNoMatchLimit: Int { noMatchLimit == 0 ? 60 : noMatchLimit }

    /// The settings that were limited to a bound of their range, with the given and the used value, for the log.
    public var snaps: [(property: String, given: Int, used: Int)] {
        let all = [
            ("onlineInterval", $onlineInterval), ("localInterval", $localInterval), ("noMatchLimit", $noMatchLimit),
            ("noMatchIncrement", $noMatchIncrement), ("noMatchMaxDelay", $noMatchMaxDelay),
        ]
        return all.compactMap { name, value in value.snap.map { (name, $0.given, $0.used) } }
    }
}
