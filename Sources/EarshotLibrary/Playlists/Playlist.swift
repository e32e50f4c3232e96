/// A playlist: entries in the order in which they are to be played.
public struct Playlist: Hashable, Sendable {
    /// What the playlist is called.
    public var title: String?
    /// Who made it.
    public var creator: String?
    /// The entries in order. One may stand there several times.
    public var entries: [PlaylistEntry]

    /// A playlist.
    ///
    /// - Parameters:
    ///   - title: What the playlist is called.
    ///   - creator: Who made it.
    ///   - entries: The entries in order.
    public init(title: String? = nil, creator: String? = nil, entries: [PlaylistEntry] = []) {
        self.title = title
        self.creator = creator
        self.entries = entries
    }
}
