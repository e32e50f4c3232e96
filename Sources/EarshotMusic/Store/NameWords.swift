/// The words of names that a store keeps for what is mistyped.
package enum NameWords {
    /// Shorter words, in bytes, are not corrected: too many are alike.
    package static let shortest = 4
    private static let longest = 64
    /// The likeness, by Jaro and Winkler, that a word needs: one letter of five missing or wrong.
    private static let leastLikeness = 0.85

    /// The words of a column of keys that are kept.
    package static func kept(in column: String) -> [Substring] {
        column.split(separator: " ").filter { word in
            // Scripts without spaces between words are indexed by pairs of characters.
            (shortest...longest).contains(word.utf8.count) && word.utf8.first.map { $0 < 0xE2 } == true
        }
    }

    /// The trigrams by which words like a mistyped one are looked for; empty if it is too short.
    package static func trigrams(of word: String) -> [String] {
        word.utf8.count >= shortest ? TextSimilarity.trigrams(of: word) : []
    }

    /// The word that a mistyped one most likely meant; `nil` if none is near.
    package static func nearest(to word: String, among words: [String]) -> String? {
        let best = words.map { (word: $0, likeness: TextSimilarity.jaroWinkler(word, $0)) }
            .max { ($0.likeness, $1.word) < ($1.likeness, $0.word) }
        return best.flatMap { $0.likeness >= leastLikeness ? $0.word : nil }
    }
}
