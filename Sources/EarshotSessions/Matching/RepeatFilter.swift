/// The filter for repeated matches of a stream: the same reference matches again and again while it plays.
public enum RepeatFilter: String, Hashable, Sendable, CaseIterable {
    /// Every match.
    case all
    /// The first match of each reference, another when it is heard again after it was lost, and one wherever other
    /// media items of it apply.
    case itemChanges
    /// Like `itemChanges`, and also reports a match where the active entries of its timed content change, forward or
    /// back.
    case entryChanges
}
