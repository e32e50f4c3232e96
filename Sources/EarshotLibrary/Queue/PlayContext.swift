/// The collection that is being played: it determines the item after the current one.
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
