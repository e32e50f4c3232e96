/// The words of names that a store keeps to correct mistyped queries.
package enum NameWords {
    /// The shortest word that is corrected, in bytes: too many shorter ones are similar.
    package static let shortest = 4
    private static let longest = 64
    /// The likeness, by Jaro and Winkler, that a word needs: one letter of five missing or wrong.
    private static let leastLikeness = 0.85

    /// Returns the words of an index column that the store keeps.
    package static func kept(in column: String) -> [Substring] {
        column.split(separator: " ").filter { word in
            // Scripts without spaces between words are indexed by pairs of characters.
            (shortest...longest).contains(word.utf8.count) && word.utf8.first.map { $0 < 0xE2 } == true
        }
    }

    /// Returns the trigrams by which words similar to a mistyped one are found; empty if it is too short.
    package static func trigrams(of word: String) -> [String] {
        word.utf8.count >= shortest ? TextSimilarity.trigrams(of: word) : []
    }

    /// Returns the word that a mistyped one most likely means; `nil` if none is similar enough.
    package static func nearest(to word: String, among words: [String]) -> String? {
        let best = words.map { (word: $0, likeness: TextSimilarity.jaroWinkler(word, $0)) }
            .max { ($0.likeness, $1.word) < ($1.likeness, $0.word) }
        return best.flatMap { $0.likeness >= leastLikeness ? $0.word : nil }
    }
}
