package import EarshotMusic

/// A search for titles: every store compares in this way, so that all find the same.
package struct TitleSearch: Sendable {
    /// What a title of the text itself is compared with.
    package let name: String
    /// Ways to read the text; a title is found when it holds every word of one of them. A word may stand for the beginning
    /// of others: then it is marked.
    package let readings: [[(word: String, isPrefix: Bool)]]

    /// The search for a text.
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

    /// What a title is ordered by.
    package static func name(_ title: Name) -> String { SearchText(title.text).folded }

    /// The words by which a title is found, each once.
    package static func words(_ names: [Name?]) -> Set<String> {
        Set(names.compactMap(\.self).flatMap(\.spellings).flatMap { SearchText($0).tokens })
    }

    /// Returns `true` if words hold what is looked for.
    package func matches(_ words: Set<String>) -> Bool {
        readings.contains { reading in
            reading.allSatisfy { term in
                words.contains(term.word) || term.isPrefix && words.contains { $0.hasPrefix(term.word) }
            }
        }
    }
}
