/// Which of the matches of a stream are passed on. The same reference matches again and again while it plays.
public enum RepeatFilter: String, Hashable, Sendable, CaseIterable {
    /// Every match.
    case all
    /// The first match of each reference, another when nothing had confirmed it for more than 10 s, and one wherever other
    /// media items of it apply. One that was lost and comes back sooner is not passed on.
    case itemChanges
    /// As `itemChanges`, and a match wherever the entries of its timed content change, back to an earlier one too.
    case entryChanges
}
