/// The part of a search by lyrics that does not depend on the database: the parsed query, and the ranking of candidates.
package struct WordSearch: Sendable {
    /// The largest number of candidates that are ranked.
    package static let candidateLimit = 400
    /// The least share of the words that a hit has.
    private static let leastShare = 0.6
    /// The least number of words of which some may be missing.
    private static let leastTerms = 4

    /// Lyrics that the database found.
    package struct Candidate: Sendable {
        package var number: Int64
        package var id: String
        package var words: String

        package init(number: Int64, id: String, words: String) {
            (self.number, self.id, self.words) = (number, id, words)
        }
    }

    /// The terms of the fragment; empty if it has no words.
    package let terms: [SearchQuery.Term]
    /// The alternative parses of the artist's name; empty if the query names none.
    package let artist: [[SearchQuery.Term]]

    /// Parses a query.
    package init(_ query: LyricQuery) {
        terms = SearchQuery(query.fragment).terms
        // An artist without words, such as a space, narrows nothing: an index knows no empty parentheses.
        artist = query.artist.map { SearchQuery($0).readings.filter { !$0.isEmpty } } ?? []
    }

    /// `true` if the fragment is long enough that lyrics may lack some of its words.
    package var mayMiss: Bool { terms.count >= Self.leastTerms }

    /// Returns the candidates that contain enough of the words, best first; the score is the share of words found.
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

    /// Returns a hit for each track of the lyrics, or one for the lyrics if they have no track.
    package static func hits(_ id: String, _ score: Double, tracks: [String]) -> [MusicHit] {
        if tracks.isEmpty { return [MusicHit(.lyrics(EntityID(id)), score: score)] }
        return tracks.map { MusicHit(.track(EntityID($0)), score: score) }
    }
}
