/// A playlist: entries in the order in which they are to be played.
public struct Playlist: Hashable, Sendable {
    /// The title of the playlist.
    public var title: String?
    /// The creator of the playlist.
    public var creator: String?
    /// The entries in order. One may stand there several times.
    public var entries: [PlaylistEntry]

    /// A playlist.
    ///
    /// - Parameters:
    ///   - title: The title of the playlist.
    ///   - creator: The creator of the playlist.
    ///   - entries: The entries in order.
    public init(title: String? = nil, creator: String? = nil, entries: [PlaylistEntry] = []) {
        self.title = title
        self.creator = creator
        self.entries = entries
    }
}
