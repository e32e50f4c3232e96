package import EarshotCatalogs
import EarshotMusic

/// A key by which a recording is found through its media item: an identifier, or artist and title.
package enum RecordingKey: MediaItemDirectoryKey {
    case service(String)
    case isrc(String)
    /// The artist and title, without case and accents.
    case name(artist: String, title: String)

    package static func keys(of item: MediaItem) -> [RecordingKey] {
        var keys: [RecordingKey] = []
        if let id = item.serviceID { keys.append(.service(id)) }
        if let isrc = item.isrc.flatMap({ MusicIdentifier(.isrc, $0) }) { keys.append(.isrc(isrc.value)) }
        if let artist = item.artist, let title = item.title { keys.append(named(artist, title)) }
        return keys
    }

    static func named(_ artist: String, _ title: String) -> RecordingKey {
        .name(artist: SearchText(artist).folded, title: SearchText(title).folded)
    }
}
