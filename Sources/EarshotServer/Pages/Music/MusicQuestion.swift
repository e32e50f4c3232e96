import EarshotAPI
import EarshotCore
import EarshotMusic
import Foundation

/// A search for music, as the address of its page contains it.
struct MusicQuestion: Sendable {
    /// The scope of a search.
    enum Scope: String, CaseIterable, Sendable {
        case tracks, albums, artists, lyrics
    }

    /// The number of results on a page.
    static let pageSize = 5
    /// The greatest offset, as in the API.
    private static let lastOffset = 10_000
    private static let lengthLimit = 400

    let scope: Scope
    /// The text in the main field.
    let text: String?
    let artist: String?
    let album: String?
    let track: String?
    /// The index of the first result, from 0: a multiple of the page size.
    let offset: Int

    /// Parses the query of an address. Invalid values, such as an offset that is no number, are ignored, because people edit addresses.
    ///
    /// - Throws: `uploadTooLarge` for far too many parameters.
    init(_ query: String?) throws(EarshotError) {
        var form = FormParameters()
        try form.add(query ?? "")
        func text(_ name: String) -> String? {
            guard let text = form[name]?.unicodeScalars.prefix(Self.lengthLimit) else { return nil }
            let trimmed = String(String.UnicodeScalarView(text)).trimmingCharacters(in: .whitespacesAndNewlines)
            return trimmed.isEmpty ? nil : trimmed
        }
        scope = form["in"].flatMap(Scope.init(rawValue:)) ?? .tracks
        (self.text, artist, album, track) = (text("q"), text("artist"), text("album"), text("track"))
        let offset = min(max(0, form.integer("offset") ?? 0), Self.lastOffset)
        self.offset = offset / Self.pageSize * Self.pageSize
    }

    /// `true` if there is nothing to search for.
    var isEmpty: Bool {
        switch scope {
        case .lyrics: text == nil
        case .artists: text == nil && artist == nil
        case .albums: text == nil && artist == nil && album == nil
        case .tracks: text == nil && artist == nil && album == nil && track == nil
        }
    }

    /// The query of the music store, with one result more than a page, to detect a next page; `nil` for a search for lyrics.
    var musicQuery: MusicQuery? {
        let limit = Self.pageSize + 1
        return switch scope {
        case .tracks:
            MusicQuery(text, artist: artist, album: album, track: track, offset: offset, limit: limit)
        case .albums:
            // A query with a title and an album would find tracks.
            MusicQuery(artist: artist, album: joined(text, album), offset: offset, limit: limit)
        case .artists:
            MusicQuery(artist: joined(text, artist), offset: offset, limit: limit)
        case .lyrics: nil
        }
    }

    /// The query for lyrics; `nil` for another scope.
    var lyricQuery: LyricQuery? {
        guard scope == .lyrics, let text else { return nil }
        return LyricQuery(text, artist: artist, offset: offset, limit: Self.pageSize + 1)
    }

    private func joined(_ one: String?, _ other: String?) -> String? {
        let words = [one, other].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Returns the address of the same search from another offset on.
    func address(from offset: Int) -> String {
        let fields = [
            ("q", text), ("in", scope == .tracks ? nil : scope.rawValue), ("artist", artist), ("album", album),
            ("track", track), ("offset", offset > 0 ? String(offset) : nil),
        ]
        let query = fields.compactMap { name, value in value.map { "\(name)=\(MusicText.escaped($0))" } }
        return query.isEmpty ? "/search" : "/search?" + query.joined(separator: "&")
    }

    /// Returns the line of the lyrics that contains most of the searched words; `nil` if none does.
    func line(of lyrics: [Lyrics]) -> String? {
        let sought = Set(SearchText(text ?? "").folded.split(separator: " "))
        var best: (line: String, count: Int)?
        for line in lyrics.flatMap(\.lines).prefix(2_000) {
            let count = Set(SearchText(line.text).folded.split(separator: " ")).intersection(sought).count
            if count > best?.count ?? 0 { best = (line.text, count) }
        }
        return best?.line
    }
}
