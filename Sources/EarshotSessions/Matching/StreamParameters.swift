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
    /// How often the catalog is searched for a second reference while one is heard.
    var refreshInterval = 8.0
    /// The stretch in which a jump shows.
    var recent = 1.5
    /// The least of it that says anything.
    var leastRecent = 0.75
    /// The stretch that a line is fitted to.
    var fitted = 10.0
    /// Evidence on a known line from which on it counts as heard, in the recent stretch and in the last four seconds.
    var heardRecently = 4.0
    var heardLately = 6.0
    /// A recent stretch is doubted that says less than this part of what the reference has said so far.
    var doubtShare = 0.4
    /// By how much another place of the same reference must be better, beyond what the best of its places has by chance.
    var moveEvidence = 8.0
    /// The same for a reference that is not heard now.
    var returnEvidence = 12.0
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
