/// Which of the matches of a stream are passed on. The same reference matches again and again while it plays.
public enum RepeatFilter: String, Hashable, Sendable, CaseIterable {
    /// Every match.
    case all
    /// The first match of each reference, and another after it was lost or its prediction had become stale.
    case itemChanges
    /// As `itemChanges`, and a match wherever the entries of its timed content change, back to an earlier one too.
    case entryChanges
}
