/// The texts of an entity in a full-text index. They are the same in every database.
package struct SearchIndexEntry {
    /// The entity's name as a key, to compare with a whole query.
    package var name: String
    /// The words of each column of the index.
    package var columns: [String]

    /// Creates an entry from a name and the spellings for each column.
    package init(name: String, columns: [[String]]) {
        self.name = SearchText(name).folded
        self.columns = columns.map(Self.words)
    }

    /// Returns the tokens of texts, joined by spaces, for an index that splits at spaces.
    package static func words(of texts: [String]) -> String {
        var seen: Set<String> = []
        return texts.compactMap { text in
            let words = SearchText(text).tokens.joined(separator: " ")
            return words.isEmpty || !seen.insert(words).inserted ? nil : words
        }
        // A phrase does not go from one spelling to the next.
        .joined(separator: " \u{E000} ")
    }

    /// Returns the row number of an entry: the popularity rank in the upper bits, a unique count in the lower 46.
    ///
    /// - Parameters:
    ///   - popularity: From 0 to 1.
    ///   - count: Different for every key; below 2^46.
    package static func number(popularity: Double, count: Int64) -> Int64 {
        Int64(rank(popularity)) << 46 | count & (1 << 46 - 1)
    }

    /// Returns the rank of a popularity: 0 for 1 (most popular) to 65,535 for 0.
    package static func rank(_ popularity: Double) -> UInt16 {
        UInt16(((1 - min(max(0, popularity.isNaN ? 0 : popularity), 1)) * 65_535).rounded())
    }

    /// Returns the popularity that a row number encodes, 0 to 1.
    package static func popularity(of number: Int64) -> Double { 1 - Double(number >> 46) / 65_535 }
}
