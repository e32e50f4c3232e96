import EarshotCore
import EarshotMusic

/// An album that files may be of, ready to be held against many files.
struct AlbumCandidate: Sendable {
    struct Slot: Sendable {
        let track: Track
        let title: TextKey?
        let spellings: [TextKey]
        let artist: TextKey?
        let medium: Int
        /// The number on the medium.
        let number: Int?
        /// The number counted over all media.
        let running: Int
        let recordings: Set<MusicIdentifier>
    }

    let album: Album
    let titles: [TextKey]
    let artist: TextKey?
    let slots: [Slot]

    init(_ album: Album, tracks: [Track]) {
        self.album = album
        titles = album.title.spellings.compactMap { TextKey($0) }
        artist = TextKey(album.credits.displayName)
        slots = tracks.enumerated().map { index, track in
            Slot(
                track: track,
                title: TextKey(track.title.text),
                spellings: track.title.spellings.dropFirst().compactMap { TextKey($0) },
                artist: TextKey((track.credits.isEmpty ? album.credits : track.credits).displayName),
                medium: track.place?.medium ?? 1,
                number: track.place?.number,
                running: index + 1,
                recordings: track.identifiers.filter { $0.scheme == .musicBrainzRecording || $0.scheme == .isrc }
            )
        }
    }

    /// Returns the number of tracks on a medium.
    func trackCount(onMedium medium: Int) -> Int { slots.count { $0.medium == medium } }
}
