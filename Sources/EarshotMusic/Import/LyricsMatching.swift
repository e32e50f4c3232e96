public import EarshotCore
import Foundation

/// Finds the tracks that lyrics belong to, by the artist and the title that they name.
public struct LyricsMatching: Sendable {
    /// The store of the tracks.
    public let store: any MusicStore

    /// Creates a search in a store.
    public init(in store: any MusicStore) {
        self.store = store
    }

    /// Returns the tracks with an artist and a title, in order of ids. Both must be equal but for case, accents, punctuation
    /// and the like (``SearchText/folded``), in any spelling that the store knows.
    ///
    /// - Throws: The store's errors.
    public func tracks(artist: String, title: String) async throws(EarshotError) -> [EntityID<Track>] {
        let wanted = (artist: SearchText(artist).folded, title: SearchText(title).folded)
        guard !wanted.artist.isEmpty, !wanted.title.isEmpty else { return [] }
        var found: Set<EntityID<Track>> = []
        for hit in try await store.search(MusicQuery(artist: artist, track: title, limit: 100)) {
            guard case .track(let id) = hit.entity, let track = try await store.track(id),
                track.title.spellings.contains(where: { SearchText($0).folded == wanted.title }),
                try await names(of: track).contains(where: { SearchText($0).folded == wanted.artist })
            else { continue }
            found.insert(track.id)
        }
        return found.sorted()
    }

    /// Creates lyrics whose identifier is made from artist, title and language, so that it is the same in every run.
    ///
    /// - Parameters:
    ///   - file: The file with the lyrics.
    ///   - artist: The artist.
    ///   - title: The title.
    ///   - tracks: The tracks with these lyrics. If there are none, the lyrics keep artist and title.
    public static func lyrics(
        _ file: LRCFile,
        artist: String,
        title: String,
        tracks: [EntityID<Track>]
    ) -> Lyrics {
        let id = DerivedID.text("lyrics", [artist, title, file.language])
        var lyrics = Lyrics(id: EntityID(id), tracks: tracks, lines: file.lines)
        if tracks.isEmpty { (lyrics.artist, lyrics.title) = (artist, title) }
        lyrics.language = file.language
        lyrics.attribution = file.author ?? file.maker
        return lyrics
    }

    /// Parses `Artist - Title`, also with a number before it, from a file name without extension; `nil` for other names.
    package static func names(ofFile name: String) -> (artist: String, title: String)? {
        var parts = name.components(separatedBy: " - ").map { $0.trimmingCharacters(in: .whitespaces) }
        if parts.count > 2, parts[0].allSatisfy({ $0.isASCII && $0.isNumber }) { parts.removeFirst() }
        guard parts.count >= 2, !parts[0].isEmpty else { return nil }
        let title = parts.dropFirst().joined(separator: " - ")
        return title.isEmpty ? nil : (parts[0], title)
    }

    private func names(of track: Track) async throws(EarshotError) -> [String] {
        var credits = track.credits
        if credits.isEmpty, let album = track.place?.album { credits = try await store.album(album)?.credits ?? [] }
        var names = [credits.displayName]
        for credit in credits {
            names.append(credit.name)
            if let id = credit.artist, let artist = try await store.artist(id) { names += artist.name.spellings }
        }
        return names
    }
}
