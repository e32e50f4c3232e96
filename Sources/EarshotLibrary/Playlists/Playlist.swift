/// A playlist: entries in the order in which they are to be played.
public struct Playlist: Hashable, Sendable {
    /// The title of the playlist; `nil` if it has none.
    public var title: String?
    /// The creator of the playlist; `nil` if unknown.
    public var creator: String?
    /// The entries in order. An entry may occur several times.
    public var entries: [PlaylistEntry]

    /// Creates a playlist.
    ///
    /// - Parameters:
    ///   - title: The title of the playlist; `nil` if it has none.
    ///   - creator: The creator of the playlist; `nil` if unknown.
    ///   - entries: The entries in order.
    public init(title: String? = nil, creator: String? = nil, entries: [PlaylistEntry] = []) {
        self.title = title
        self.creator = creator
        self.entries = entries
    }
}
