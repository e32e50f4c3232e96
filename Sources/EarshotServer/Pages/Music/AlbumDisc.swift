import EarshotCore
import EarshotMusic

/// The tracks of an album on one of its media.
struct AlbumDisc: Sendable {
    struct Row: Sendable {
        /// The number on the medium; empty for none.
        let number: String
        let name: String
        let address: String
        /// The artist of the track; `nil` for the album's artist.
        let artist: String?
        /// The duration as text; empty if it is not known.
        let duration: String
        /// `true` if the page is about this track.
        let isCurrent: Bool
    }

    /// The number and the name of the medium; `nil` for the only one.
    let heading: String?
    let rows: [Row]

    /// Returns the media of an album, in order.
    ///
    /// - Parameters:
    ///   - tracks: The tracks of the album, in order.
    ///   - album: The album.
    ///   - current: The track that the page is about; `nil` for none.
    ///   - language: The language of names, as ISO 639-3 code; `nil` for the original names.
    ///   - words: The texts of the page.
    static func discs(
        _ tracks: [Track],
        of album: Album,
        current: EntityID<Track>?,
        language: String?,
        _ words: PageWords
    ) -> [AlbumDisc] {
        let owner = album.credits.displayName
        let numbers = Set(tracks.map { $0.place?.medium ?? 1 }).sorted()
        return numbers.map { number in
            let medium = album.media.first { $0.position == number }
            let name = [medium?.title, medium?.format].compactMap(\.self).joined(separator: ", ")
            let heading =
                name.isEmpty
                ? words("music.disc", ["number": "\(number)"])
                : words("music.namedDisc", ["number": "\(number)", "name": name])
            return AlbumDisc(
                heading: numbers.count > 1 ? heading : nil,
                rows: tracks.filter { ($0.place?.medium ?? 1) == number }.map { track in
                    let artist = track.credits.displayName
                    return Row(
                        number: track.place?.number.map(String.init) ?? "",
                        name: track.title.text(in: language),
                        address: MusicText.address(ofTrack: track.id),
                        artist: artist.isEmpty || artist == owner ? nil : artist,
                        duration: MusicText.duration(track.duration) ?? "",
                        isCurrent: track.id == current
                    )
                }
            )
        }
    }

    /// Returns the number of tracks, and their total duration if all durations are known, as text; `nil` without tracks.
    static func summary(_ tracks: [Track], _ words: PageWords) -> String? {
        guard !tracks.isEmpty else { return nil }
        let count = words(tracks.count == 1 ? "music.oneTrack" : "music.trackCount", ["count": "\(tracks.count)"])
        let lengths = tracks.compactMap { $0.duration?.seconds }.filter { $0.isFinite && $0 > 0 }
        guard lengths.count == tracks.count else { return count }
        let whole = MediaTime(seconds: lengths.reduce(0, +), preferredTimescale: 1_000)
        return [count, MusicText.duration(whole)].compactMap(\.self).joined(separator: " · ")
    }
}
