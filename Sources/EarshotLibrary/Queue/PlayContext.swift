/// What is played through: it says what comes after an item.
public enum PlayContext: Hashable, Sendable {
    /// An album.
    case album(AlbumKey)
    /// All items of an artist, by ``LibraryArtist/id``.
    case artist(String)
    /// A playlist, by a name of the caller's choice.
    case playlist(String)
    /// All songs.
    case allSongs
}
