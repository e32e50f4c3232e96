/// The kind of entity that a row of a table for several kinds belongs to. The numbers stand in databases.
package enum MusicKind: Int, Sendable {
    case artist = 1, album, track

    /// The columns of its index: the first is the entity's own name.
    package var columns: [String] {
        switch self {
        case .artist: ["artist"]
        case .album: ["album", "artist"]
        case .track: ["track", "album", "artist"]
        }
    }

    /// The word for it in names of tables.
    package var table: String {
        switch self {
        case .artist: "artist"
        case .album: "album"
        case .track: "track"
        }
    }
}
