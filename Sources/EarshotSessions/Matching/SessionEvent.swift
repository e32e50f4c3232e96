public import EarshotCatalogs
public import EarshotCore
public import EarshotSignatures

/// What a session has to say about the audio it hears.
public enum SessionEvent: Sendable {
    /// References are heard. What is new about it stands beside it, the weightiest first; at least one.
    case matched(Match, [MatchChange])
    /// What was heard is heard no longer. Its position is still predicted, and called stale after ten seconds.
    case lost(Match)
    /// As much audio as a query may last had nothing in it that the catalog knows.
    case notMatched(Signature)
    /// Audio could not be used. With what was heard before it; the session goes on with what comes.
    case failed(EarshotError, Signature)
}

/// Why a match is reported.
public enum MatchChange: Hashable, Sendable {
    /// A reference is heard that was not heard before, or not for more than ten seconds.
    case appeared
    /// A reference is heard again after less than that.
    case returned
    /// Playback has jumped to another place of the reference, by so much: a seek.
    case moved(by: MediaTime)
    /// The position was corrected by so much, at least 50 ms.
    case corrected(by: MediaTime)
    /// Other media items of the reference apply: a time range began or ended.
    case items
    /// Other entries of the reference's timed content are active.
    case entries
    /// The reference is still heard.
    case confirmed
}

extension MatchChange {
    /// How much it says.
    var weight: Int {
        switch self {
        case .appeared: 6
        case .moved: 5
        case .returned: 4
        case .items: 3
        case .entries: 2
        case .corrected: 1
        case .confirmed: 0
        }
    }
}
