/// Which of the matches of a stream are passed on. The same reference matches again and again while it plays.
public enum RepeatFilter: String, Hashable, Sendable, CaseIterable {
    /// Every match.
    case all
    /// The first match of each reference, another when it is heard again after it was lost, and one wherever other
    /// media items of it apply.
    case itemChanges
    /// As `itemChanges`, and a match wherever the entries of its timed content change, back to an earlier one too.
    case entryChanges
}
