import EarshotMusic

/// The words by which entries of a user's history are found, alike in all stores.
package enum HistoryWords {
    /// The most words of a search; more are ignored.
    private static let limit = 16

    /// The text of an entry in which a search looks: title, artist, album and album artist without case and accents, a line each.
    package static func text(of match: MusicMatch) -> String {
        let names = [match.track.title, match.artist.name, match.album.title, match.album.artist].compactMap(\.self)
        return names.map { SearchText($0).folded }.joined(separator: "\n")
    }

    /// The texts that all stand in an entry that a search finds; none if it finds all.
    package static func sought(_ words: String?) -> [String] {
        words.map { SearchText($0).folded.split(separator: " ").prefix(limit).map(String.init) } ?? []
    }
}
