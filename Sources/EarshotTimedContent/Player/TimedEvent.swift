public import EarshotCore

/// Something that happens to timed content while its reference plays.
public enum TimedEvent: Hashable, Sendable {
    /// The entry is active from now on.
    case entered(TimedEntry)
    /// A part of the active entry appears.
    case partShown(TimedEntry, TimedPart)
    /// From now on an answer to the entry counts; for entries that require one.
    case answerOpened(TimedEntry)
    /// An answer counts no longer.
    case answerClosed(TimedEntry)
    /// The entry is active no longer.
    case left(TimedEntry)
    /// The entry begins soon: after this time of the clock, unless playback jumps.
    case upcoming(TimedEntry, in: MediaTime)

    /// The entry it happens to.
    public var entry: TimedEntry {
        switch self {
        case .entered(let entry), .partShown(let entry, _), .answerOpened(let entry), .answerClosed(let entry),
            .left(let entry), .upcoming(let entry, _):
            entry
        }
    }
}
