public import EarshotCatalogs
public import EarshotCore
public import EarshotSignatures

/// An event of a session.
public enum SessionEvent: Sendable {
    /// References match. The array contains the changes since the last report, most important first; at least one.
    case matched(Match, [MatchChange])
    /// The match has not been heard for 4 s, or another reference has replaced it. Its position is still predicted; the
    /// prediction becomes stale 10 s after the last confirmation.
    case lost(Match)
    /// 12 s of audio had nothing in them that the catalog knows. Told again after each further 12 s. With the signature of
    /// the last stretch that was looked for.
    case notMatched(Signature)
    /// Audio could not be used: `audioFormatInvalid`, or `audioDiscontinuity` for a gap or dropped audio; or the
    /// catalog could not be read: `catalogInvalid`. The signature is of the audio before the failure, if known. The
    /// session continues with the next audio.
    case failed(EarshotError, Signature)
}

/// The reason why a match is reported.
public enum MatchChange: Hashable, Sendable {
    /// A reference is heard that was not heard before, or not for more than 10 s.
    case appeared
    /// A reference is heard again after less than that.
    case returned
    /// Playback jumped to another position of the reference, by this much: a seek. Negative for a jump back.
    case moved(by: MediaTime)
    /// The position was corrected by this much of the reference, at least 50 ms. Negative if it was ahead.
    case corrected(by: MediaTime)
    /// Other media items of the reference apply: a time range began or ended.
    case items
    /// Other entries of the reference's timed content are active.
    case entries
    /// The reference is still heard.
    case confirmed
}

extension MatchChange {
    /// The importance of the change.
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
