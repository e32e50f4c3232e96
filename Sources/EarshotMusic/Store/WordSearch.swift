/// A search by words of songs apart from the database: what is looked for, and the order of what was found.
package struct WordSearch: Sendable {
    /// The most hits that are put in order.
    package static let candidateLimit = 400
    /// The least share of the words that a hit has.
    private static let leastShare = 0.6
    /// The least number of words of which some may be missing.
    private static let leastTerms = 4

    /// Lyrics that were found.
    package struct Candidate: Sendable {
        package var number: Int64
        package var id: String
        package var words: String

        package init(number: Int64, id: String, words: String) {
            (self.number, self.id, self.words) = (number, id, words)
        }
    }

    /// The words; empty if there is nothing to look for.
    package let terms: [SearchQuery.Term]
    /// All ways to read the artist; empty if there is none.
    package let artist: [[SearchQuery.Term]]

    /// The search of a query.
    package init(_ query: LyricQuery) {
        terms = SearchQuery(query.fragment).terms
        // An artist without words, such as a space, narrows nothing: an index knows no empty parentheses.
        artist = query.artist.map { SearchQuery($0).readings.filter { !$0.isEmpty } } ?? []
    }

    /// Says that some of the words may be missing.
    package var mayMiss: Bool { terms.count >= Self.leastTerms }

    /// The candidates that have enough of the words, with the share that they have, the best first.
    package func ranked(_ candidates: [Candidate]) -> [(candidate: Candidate, score: Double)] {
        let wanted = Set(terms.flatMap(\.tokens).map { Substring($0) })
        return candidates.map { candidate in
            var missing = wanted
            for word in candidate.words.utf8.split(separator: 0x20) where missing.remove(Substring(word)) != nil {
                if missing.isEmpty { break }
            }
            return (candidate, Double(wanted.count - missing.count) / Double(wanted.count))
        }
        .filter { $0.1 >= Self.leastShare }
        .sorted { ($0.1, $1.0.number) > ($1.1, $0.0.number) }
    }

    /// The hits of lyrics: the tracks of which they are, or the lyrics alone.
    package static func hits(_ id: String, _ score: Double, tracks: [String]) -> [MusicHit] {
        if tracks.isEmpty { return [MusicHit(.lyrics(EntityID(id)), score: score)] }
        return tracks.map { MusicHit(.track(EntityID($0)), score: score) }
    }
}
