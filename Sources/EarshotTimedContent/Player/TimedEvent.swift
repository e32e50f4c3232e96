public import EarshotCore

/// An event of a timeline while its reference plays.
public enum TimedEvent: Hashable, Sendable {
    /// The entry has become active.
    case entered(TimedEntry)
    /// A part of the active entry appears.
    case partShown(TimedEntry, TimedPart)
    /// An answer to the entry counts from now on. Only for entries that require an answer.
    case answerOpened(TimedEntry)
    /// An answer to the entry no longer counts.
    case answerClosed(TimedEntry)
    /// The entry is no longer active.
    case left(TimedEntry)
    /// The entry begins after this time of the clock, unless playback jumps.
    case upcoming(TimedEntry, in: MediaTime)

    /// The entry that the event belongs to.
    public var entry: TimedEntry {
        switch self {
        case .entered(let entry), .partShown(let entry, _), .answerOpened(let entry), .answerClosed(let entry),
            .left(let entry), .upcoming(let entry, _):
            entry
        }
    }
}
