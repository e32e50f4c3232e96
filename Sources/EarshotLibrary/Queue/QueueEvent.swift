/// What a play queue tells whoever plays it.
public enum QueueEvent: Hashable, Sendable {
    /// Something else is played through from now on; nothing was before where the first is nothing.
    case contextChanged(from: PlayContext?, to: PlayContext)
    /// An item begins.
    case began(MusicItem)
    /// The last item of the context is over; nothing plays.
    case ended(PlayContext)
}
