import EarshotMusic

/// The identity of an album in a library, derived from the tags of its items in any script.
///
/// Items with the same ``MusicItem/albumID`` are on one album. Other items are on one album if their album titles are
/// equal except for letter case, width and punctuation, and they have the same album artist. An item without an album
/// artist belongs to the only album artist that other items of that title name. If they name none, or several, the
/// items without one are an album of their own, regardless of the tracks' artists. These items are divided by artist
/// only if two artists have the same disc and track number, and artists have two items or more on average.
///
/// The identity of an item's album may therefore change when other items are added.
public struct AlbumKey: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The identity as text, which is the same on every machine.
    public let rawValue: String

    /// Creates an identity from a stored ``rawValue``.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Items that name the album by an identifier.
    init(albumID: EntityID<Album>) {
        rawValue = "id:" + albumID.rawValue
    }

    /// Items that name the album by its title, and perhaps by its artist: both as keys.
    init(title: String, artist: String?) {
        rawValue = "title:" + title + (artist.map { "\n" + $0 } ?? "")
    }

    /// The identity as text: ``rawValue``.
    public var description: String { rawValue }

    /// Compares identities by the bytes of their text.
    public static func < (left: AlbumKey, right: AlbumKey) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }
}
