import EarshotCore
import EarshotMusic
import EarshotRecognition

/// The evidence of a file, prepared for comparison with many tracks.
struct FileEvidence: Sendable {
    /// A reading of a name in the path.
    struct NamedTitle: Sendable {
        var title: TextKey
        var artist: TextKey?
        var number: Int?
        var disc: Int?
    }

    let attributes: FileAttributes
    let title: TextKey?
    let artist: TextKey?
    let albumArtist: TextKey?
    let album: TextKey?
    let names: [NamedTitle]
    let folder: FolderNameParser
    let folderAlbums: [TextKey]
    let folderArtists: [TextKey]
    /// The tracks that it sounds like, each with how sure that is, from 0 to 1.
    var heard: [EntityID<Track>: Double] = [:]
    /// The result of the search for its sound.
    var soundSearch = AudioSearch.none

    enum AudioSearch: Hashable, Sendable {
        /// There is too little sound to expect an answer.
        case none
        /// Nothing was found.
        case unknown
        /// A recording was found, be it of a known track or not.
        case found
    }

    /// - Parameter attributes: The attributes that the request states; values out of all bounds are passed over.
    init(_ attributes: FileAttributes) {
        let attributes = attributes.bounded
        self.attributes = attributes
        title = TextKey(attributes.title)
        artist = TextKey(attributes.artist)
        albumArtist = TextKey(attributes.albumArtist)
        album = TextKey(attributes.album)
        names = (attributes.path.last.map(FileNameParser.readings) ?? []).compactMap { reading in
            TextKey(reading.title).map {
                NamedTitle(title: $0, artist: TextKey(reading.artist), number: reading.number, disc: reading.disc)
            }
        }
        folder = FolderNameParser(attributes.path.dropLast())
        folderAlbums = folder.albums.compactMap { TextKey($0) }
        folderArtists = folder.artists.compactMap { TextKey($0) }
    }

    /// The number of the medium as anything says it.
    var disc: Int? { attributes.discNumber ?? names.first?.disc ?? folder.disc }

    /// Identifiers of the file that identify a recording.
    var recordings: Set<MusicIdentifier> {
        attributes.identifiers.filter { $0.scheme == .musicBrainzRecording || $0.scheme == .isrc }
    }
}
