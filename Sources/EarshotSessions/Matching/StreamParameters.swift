import EarshotCatalogs

/// The numbers that decide how a stream is followed. Times are in seconds, evidence in nats.
struct StreamParameters: Sendable {
    /// A first answer is given at once from this score on, and from the catalog's own threshold on when a later look, with
    /// more audio, says the same.
    var sureScore = 20.0
    /// How long the window of a search grows; then several lengths take turns.
    var longestWindow = 12.0
    var windows = [12.0, 4, 8, 4]
    /// Seconds between searches.
    var searchInterval = 0.5
    /// When other speeds and pitches are looked for too: so long after the search began, and then at intervals.
    var escalations = [3.0, 5, 8, 12]
    var escalationInterval = 6.0
    /// Seconds between searches of the catalog while a reference is heard, for a second one and for the place in the first: at
    /// most, and before the first of them. Between, the time since the reference was found doubles from one to the next.
    var refreshInterval = 8.0
    var earliestRefresh = 1.5
    /// How a reference is followed that was found.
    var tracking = AlignmentTrack.Parameters()
    /// How long a reference goes unheard until it is lost, and how long it is then looked for without a search.
    var lossDelay = 4.0
    var dormancy = 600.0
    /// How often a match that goes on is confirmed.
    var confirmInterval = 1.0
    /// The least correction that is an event, and the least that is a jump.
    var leastCorrection = 0.05
    var leastMove = 0.25
    /// The most references that are followed at once.
    var trackLimit = 8
}
