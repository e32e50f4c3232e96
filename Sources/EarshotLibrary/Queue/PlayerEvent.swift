public import EarshotCore

/// An event of a player.
public enum PlayerEvent: Sendable {
    /// A change of the queue.
    case queue(QueueEvent)
    /// This time of the item is being heard.
    case heard(MusicItem, MediaTime)
    /// The item cannot be played, for this reason; the next one comes.
    case failed(MusicItem, EarshotError)
    /// Playback was stopped by the app.
    case stopped
}
