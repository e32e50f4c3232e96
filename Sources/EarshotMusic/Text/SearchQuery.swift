/// A search text, parsed into terms for an index of ``SearchText/tokens``.
public struct SearchQuery: Hashable, Sendable {
    /// A word, or words that must stand next to each other.
    public struct Term: Hashable, Sendable {
        /// Tokens that stand next to each other in this order: several for a run of Han, kana or Hangul, else one.
        public let tokens: [String]
        /// `true` if the last token may be the beginning of a longer one.
        public let isPrefix: Bool

        /// Creates a term from tokens.
        public init(tokens: [String], isPrefix: Bool = false) {
            self.tokens = tokens
            self.isPrefix = isPrefix
        }

        /// The tokens with a space between them.
        public var text: String { tokens.joined(separator: " ") }
    }

    /// The keys of the query, to compare with those of results.
    public let text: SearchText
    /// Terms that must all be found.
    public let terms: [Term]
    /// The alternative parses of the query. A title matches if it contains all terms of one of them.
    ///
    /// The first is ``terms``. A second reading has numbers as they were typed, because a number may be part of a
    /// longer one ("one" in "nineteen thirty one") or be typed in part.
    public let readings: [[Term]]

    /// Parses a search text.
    ///
    /// - Parameters:
    ///   - text: The text that a user typed.
    ///   - isTyping: `true` if the person may still be typing its last word, which then is found by its beginning.
    public init(_ text: String, isTyping: Bool = false) {
        let decomposed = KeyScalars.decomposed(text, .shared)
        let keys = SearchKeys(decomposed, isASCII: false)
        self.text = SearchText(text)
        // A space or a sign after the last word ends it.
        let isOpen =
            isTyping && (decomposed.last.map { ![.space, .symbol].contains(ScalarTable.shared.kind($0)) } ?? false)
        terms = Self.terms(of: keys.folded, isOpen: isOpen && !keys.lastWasRead)
        readings = keys.spelled == keys.folded ? [terms] : [terms, Self.terms(of: keys.spelled, isOpen: isOpen)]
    }

    private static func terms(of key: String, isOpen: Bool) -> [Term] {
        let words = IndexTokens.words(of: key)
        return words.enumerated().map { place, word in
            switch word {
            case .plain(let text): Term(tokens: [String(text)], isPrefix: isOpen && place == words.count - 1)
            // One character alone begins a pair, or is the last of its run, which is in the index too.
            case .run(let characters): Term(tokens: IndexTokens.pairs(characters), isPrefix: characters.count == 1)
            }
        }
    }
}
