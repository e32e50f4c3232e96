public import EarshotCatalogs
public import EarshotCore
public import EarshotSignatures

/// What a session has to say about the audio it hears.
public enum SessionEvent: Sendable {
    /// References are heard. What is new about it stands beside it, the weightiest first; at least one.
    case matched(Match, [MatchChange])
    /// What was heard has not been heard for 4 s, or something else has taken its place. Its position is still predicted,
    /// and called stale when nothing has confirmed it for 10 s.
    case lost(Match)
    /// 12 s of audio had nothing in them that the catalog knows. Told again after each further 12 s. With the signature of
    /// the last stretch that was looked for.
    case notMatched(Signature)
    /// Audio could not be used: `audioFormatInvalid`, or `audioDiscontinuity` where time is missing or audio was dropped;
    /// or the catalog could not be read: `catalogInvalid`. With what was heard before it, where that is known; the session
    /// goes on with what comes.
    case failed(EarshotError, Signature)
}

/// Why a match is reported.
public enum MatchChange: Hashable, Sendable {
    /// A reference is heard that was not heard before, or not for more than 10 s.
    case appeared
    /// A reference is heard again after less than that.
    case returned
    /// Playback has jumped to another place of the reference, by so much time of it: a seek. Below zero it went back.
    case moved(by: MediaTime)
    /// The position was corrected by so much time of the reference, at least 50 ms. Below zero it was ahead.
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
