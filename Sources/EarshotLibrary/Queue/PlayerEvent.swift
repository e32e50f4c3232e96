public import EarshotCore

/// An event of a player.
public enum PlayerEvent: Sendable {
    /// A change of the queue.
    case queue(QueueEvent)
    /// The playback position within the item.
    case heard(MusicItem, MediaTime)
    /// The item cannot be played, because of the error; the player continues with the next item.
    case failed(MusicItem, EarshotError)
    /// Playback was stopped by the app.
    case stopped
}
