import EarshotMusic

/// The text search in users' histories, the same for all stores.
package enum HistoryWords {
    /// The most words of a search; more are ignored.
    private static let limit = 16

    /// Returns the text of an entry that is searched: title, artist, album and album artist, one on each line, without
    /// case and accents.
    package static func text(of match: MusicMatch) -> String {
        let names = [match.track.title, match.artist.name, match.album.title, match.album.artist].compactMap(\.self)
        return names.map { SearchText($0).folded }.joined(separator: "\n")
    }

    /// Returns the normalized words that must all occur in an entry; empty if all entries match. At most 16 words are
    /// used.
    package static func sought(_ words: String?) -> [String] {
        words.map { SearchText($0).folded.split(separator: " ").prefix(limit).map(String.init) } ?? []
    }
}
