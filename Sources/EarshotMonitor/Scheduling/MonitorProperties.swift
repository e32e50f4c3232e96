/// What decides how often a monitor asks, and where. They weigh network traffic and battery against delay.
///
/// Whole numbers outside their range are set to the nearest bound, without an error: a negative interval turns its timer
/// off, though who sets one may have wanted the opposite.
public struct MonitorProperties: Hashable, Sendable {
    /// The longest time without a recognition before one is forced, in seconds; 0 forces none. Default 300, at most a day.
    ///
    /// It is the net under transitions that go unnoticed, in a noisy room for example. Every match starts it anew. Intervals
    /// of about 10 s or less amount to asking without pause, since making a fingerprint and asking takes about as long;
    /// intervals below 60 s load a service so much that they need the agreement of its operator.
    @Snapped(0...86_400) public var onlineInterval = 300
    /// The longest time without a lookup before one in the fingerprint store is forced, in seconds; 0, the default, forces
    /// none. At most a day. Local lookups cost no traffic and may run more often; about 7 s or less amount to asking without
    /// pause. When nothing is found, nobody is asked online.
    @Snapped(0...86_400) public var localInterval = 0
    /// How many lookups in a row find nothing until lookups are spaced out; 0 counts as the default, 60.
    @Snapped(0...9_999_999) public var noMatchLimit = 60
    /// What is added to the time between lookups each time the limit is reached, in seconds. Default 60, 8 s to 30 days.
    @Snapped(8...2_592_000) public var noMatchIncrement = 60
    /// The most that is added in all, in seconds. Default 300, 60 s to 60 days.
    @Snapped(60...5_184_000) public var noMatchMaxDelay = 300
    /// What is given preference to.
    public var optimization = OptimizationMode.accuracy
    /// `true` if only the fingerprint store is asked.
    public var cacheOnly = false

    /// The defaults.
    public init() {}

    /// The limit as it counts.
    var effectiveNoMatchLimit: Int { noMatchLimit == 0 ? 60 : noMatchLimit }

    /// The numbers that were snapped to a bound, each with its name, for the log.
    public var snaps: [(property: String, given: Int, used: Int)] {
        let all = [
            ("onlineInterval", $onlineInterval), ("localInterval", $localInterval), ("noMatchLimit", $noMatchLimit),
            ("noMatchIncrement", $noMatchIncrement), ("noMatchMaxDelay", $noMatchMaxDelay),
        ]
        return all.compactMap { name, value in value.snap.map { (name, $0.given, $0.used) } }
    }
}
