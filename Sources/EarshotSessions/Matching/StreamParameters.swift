import EarshotCatalogs

/// The numbers that decide how a stream is followed. Times are in seconds, evidence in nats.
struct StreamParameters: Sendable {
    /// A first answer is given at once from this score on, and from the catalog's own threshold on when a later look, with
    /// more audio, says the same.
    var sureScore = 20.0
    /// The longest window of a search; after that several lengths alternate.
    var longestWindow = 12.0
    var windows = [12.0, 4, 8, 4]
    /// Seconds between searches.
    var searchInterval = 0.5
    /// The times, after the beginning of a search, at which other speeds and pitches are tried too; after the last one
    /// at intervals.
    var escalations = [3.0, 5, 8, 12]
    var escalationInterval = 6.0
    /// Seconds between searches of the catalog while a reference is heard, for a second one and for the place in the first: at
    /// most, and before the first of them. Between, the time since the reference was found doubles from one to the next.
    var refreshInterval = 8.0
    var earliestRefresh = 1.5
    /// The parameters of tracking a match.
    var tracking = AlignmentTrack.Parameters()
    /// The time without detection after which a reference is lost, and for which it is then tried without a search.
    var lossDelay = 4.0
    var dormancy = 600.0
    /// The interval at which a continuing match is confirmed.
    var confirmInterval = 1.0
    /// The least correction that is an event, and the least that is a jump.
    var leastCorrection = 0.05
    var leastMove = 0.25
    /// The most references that are followed at once.
    var trackLimit = 8
}
