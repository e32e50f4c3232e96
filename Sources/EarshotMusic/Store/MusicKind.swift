/// The kind of entity of a row in a table for several kinds. Databases store the raw values.
package enum MusicKind: Int, Sendable {
    case artist = 1, album, track

    /// The columns of the search index of this kind; the first is the entity's own name.
    package var columns: [String] {
        switch self {
        case .artist: ["artist"]
        case .album: ["album", "artist"]
        case .track: ["track", "album", "artist"]
        }
    }

    /// The name of this kind in the names of database tables.
    package var table: String {
        switch self {
        case .artist: "artist"
        case .album: "album"
        case .track: "track"
        }
    }
}
