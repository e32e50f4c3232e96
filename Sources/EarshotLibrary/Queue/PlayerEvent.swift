public import EarshotCore

/// What a player tells of what it plays.
public enum PlayerEvent: Sendable {
    /// What the queue decided.
    case queue(QueueEvent)
    /// This time of the item is being heard.
    case heard(MusicItem, MediaTime)
    /// The item cannot be played, for this reason; the next one comes.
    case failed(MusicItem, EarshotError)
    /// Nothing plays any more, because somebody stopped it.
    case stopped
}
