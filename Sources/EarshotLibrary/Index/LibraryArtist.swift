/// An artist of a library: the artist of an item or of an album.
public struct LibraryArtist: Hashable, Sendable, Identifiable {
    /// The name as a key: names that differ in letter case, widths or punctuation only are one.
    public let id: String
    /// The name as written in the first item.
    public let name: String
    /// All items, by album and their order on it; those of no album come last, by title.
    public let items: [MusicItem]
}
