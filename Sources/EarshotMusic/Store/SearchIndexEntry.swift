/// The texts by which an index finds an entity, the same in every database.
package struct SearchIndexEntry {
    /// The name as it is compared as a whole.
    package var name: String
    /// The words of each column of the index.
    package var columns: [String]

    /// Makes the texts of a name and of the spellings in each column.
    package init(name: String, columns: [[String]]) {
        self.name = SearchText(name).folded
        self.columns = columns.map(Self.words)
    }

    /// The words of texts, for an index that splits at spaces.
    package static func words(of texts: [String]) -> String {
        var seen: Set<String> = []
        return texts.compactMap { text in
            let words = SearchText(text).tokens.joined(separator: " ")
            return words.isEmpty || !seen.insert(words).inserted ? nil : words
        }
        // A phrase does not go from one spelling to the next.
        .joined(separator: " \u{E000} ")
    }

    /// The number of a key: how little its entity is asked for, and below that a count.
    ///
    /// - Parameters:
    ///   - popularity: From 0 to 1.
    ///   - count: Different for every key; below 2^46.
    package static func number(popularity: Double, count: Int64) -> Int64 {
        Int64(rank(popularity)) << 46 | count & (1 << 46 - 1)
    }

    /// 0 for what is asked for most, to 65,535.
    package static func rank(_ popularity: Double) -> UInt16 {
        UInt16(((1 - min(max(0, popularity.isNaN ? 0 : popularity), 1)) * 65_535).rounded())
    }

    /// The popularity that a number was made from.
    package static func popularity(of number: Int64) -> Double { 1 - Double(number >> 46) / 65_535 }
}
