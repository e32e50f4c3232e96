import EarshotCore
import EarshotMusic
import Foundation

/// An entry as services that count listens see it: who, what, and since when.
struct HistoryListen {
    let entry: HistoryEntry
    let artist: String
    let title: String
    let album: String?

    /// `nil` for an entry without the names that these services require.
    init?(_ entry: HistoryEntry) {
        guard let artist = Self.text(entry.match.artist.name) ?? Self.text(entry.match.album.artist),
            let title = Self.text(entry.match.track.title)
        else { return nil }
        self.entry = entry
        self.artist = artist
        self.title = title
        album = Self.text(entry.match.album.title)
    }

    /// The album artist, if it differs from the artist.
    var albumArtist: String? {
        Self.text(entry.match.album.artist).flatMap { $0 == artist ? nil : $0 }
    }

    /// The time at which the track began to play, in whole seconds since 1970; the time of recognition if that is not
    /// known.
    var beginning: Int { Int((entry.began ?? entry.date).timeIntervalSince1970.rounded(.down)) }

    /// Its length in seconds, where that is known.
    var duration: Double? {
        entry.match.track.duration.map(\.seconds).flatMap { $0.isFinite && (0..<1e9 ~= $0) && $0 > 0 ? $0 : nil }
    }

    var trackNumber: Int? { entry.match.track.number > 0 ? entry.match.track.number : nil }

    private static func text(_ text: String?) -> String? {
        guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
        return text
    }

    // MARK: - Identifiers

    var isrc: String? { values(.isrc).first }
    var recording: String? { values(.musicBrainzRecording).first }
    var release: String? { values(.musicBrainzRelease).first ?? own(entry.match.album.id?.rawValue) }
    var artists: [String] {
        let named = values(.musicBrainzArtist)
        return named.isEmpty ? [own(entry.match.artist.id?.rawValue)].compactMap(\.self) : named
    }

    private func values(_ scheme: MusicIdentifier.Scheme) -> [String] {
        let prefix = scheme.rawValue + ":"
        return (entry.match.track.identifiers ?? []).filter { $0.hasPrefix(prefix) }
            .compactMap { MusicIdentifier(scheme, $0.dropFirst(prefix.count))?.value }
    }

    /// An id of the store's own as an MBID: it is one where the track's own id is its MBID, as imports of MusicBrainz have it.
    private func own(_ id: String?) -> String? {
        guard let id, let track = entry.match.track.id?.rawValue, values(.musicBrainzTrack).contains(track) else {
            return nil
        }
        return MusicIdentifier(.musicBrainzArtist, id)?.value
    }
}
