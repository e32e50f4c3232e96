/// Keys to sort titles and names by.
package enum SortKey {
    /// The leading articles that sorting ignores: English, French, German, Spanish and Italian ones.
    package static let articles: Set<String> = [
        "the", "a", "an", "le", "la", "les", "un", "une", "der", "die", "das", "ein", "eine", "el", "los", "las", "il",
        "lo", "gli",
    ]

    /// Returns the key to sort a title or a name by: its folded words, numbers as written, a leading article moved to the end.
    ///
    /// "The Beatles" is `beatles the`. The article stays where nothing else would be left, and where it is the first
    /// half of a doubled word: "La La Land", "The The".
    ///
    /// - Parameters:
    ///   - text: The title or name.
    ///   - articles: The articles that do not count, in lower case and without diacritics.
    package static func key(for text: String, articles: Set<String> = articles) -> String {
        let key = SearchText(text).spelled
        let words = key.split(separator: " ", maxSplits: 1)
        guard words.count == 2, articles.contains(String(words[0])) else { return key }
        guard !words[1].hasPrefix(words[0]) || words[1].dropFirst(words[0].count).first.map({ $0 != " " }) ?? false
        else {
            return key
        }
        return words[1] + " " + words[0]
    }
}
