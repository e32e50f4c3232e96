/// A change of a play queue.
public enum QueueEvent: Hashable, Sendable {
    /// The context changed; `from` is `nil` for the first one.
    case contextChanged(from: PlayContext?, to: PlayContext)
    /// An item begins.
    case began(MusicItem)
    /// The last item of the context has ended; nothing is playing.
    case ended(PlayContext)
}
