package import EarshotCatalogs
import EarshotMusic

/// The description of a recording in its media item.
package enum RecordingKey: MediaItemDirectoryKey {
    case service(String)
    case isrc(String)
    /// Artist and title, folded.
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
