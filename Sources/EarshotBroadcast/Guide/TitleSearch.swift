package import EarshotMusic

/// A search for titles. Every store uses it, so that all find the same.
package struct TitleSearch: Sendable {
    /// The normalized text, for comparison with a whole title.
    package let name: String
    /// The readings of the text. A title is found if it contains every word of one reading. A marked word also matches
    /// the words that begin with it.
    package let readings: [[(word: String, isPrefix: Bool)]]

    /// Creates the search for a text, of which the first 1,000 characters count.
    package init(_ text: String) {
        let query = SearchQuery(String(text.prefix(1_000)))
        name = query.text.folded
        readings = query.readings.map { terms in
            terms.flatMap { term in
                term.tokens.enumerated().map { ($1, term.isPrefix && $0 == term.tokens.count - 1) }
            }
        }
        .filter { !$0.isEmpty }
    }

    /// Returns the normalized title, by which results are sorted.
    package static func name(_ title: Name) -> String { SearchText(title.text).folded }

    /// Returns the words by which a title is found, each once.
    package static func words(_ names: [Name?]) -> Set<String> {
        Set(names.compactMap(\.self).flatMap(\.spellings).flatMap { SearchText($0).tokens })
    }

    /// Returns `true` if the words match a reading.
    package func matches(_ words: Set<String>) -> Bool {
        readings.contains { reading in
            reading.allSatisfy { term in
                words.contains(term.word) || term.isPrefix && words.contains { $0.hasPrefix(term.word) }
            }
        }
    }
}
