import EarshotMusic
import GRDB

/// The words of names that a store knows, for what is mistyped.
struct Vocabulary {
    /// Shorter words, in bytes, are not corrected: too many are alike.
    static let shortest = 4
    private static let longest = 64
    /// How alike, by Jaro and Winkler, a word has to be: one letter of five missing or wrong.
    static let leastLikeness = 0.85

    /// Words that are known to be there.
    private var known: Set<Substring> = []

    /// Adds the words of a column of keys.
    mutating func learn(_ column: String, in database: Database) throws {
        for word in column.split(separator: " ") {
            // Scripts without spaces between words are indexed by pairs of characters.
            guard (Self.shortest...Self.longest).contains(word.utf8.count), word.utf8.first.map({ $0 < 0xE2 }) == true,
                known.insert(word).inserted
            else { continue }
            let insertion = try database.cachedStatement(sql: "INSERT OR IGNORE INTO word (word) VALUES (?)")
            try insertion.execute(arguments: [String(word)])
            guard database.changesCount > 0 else { continue }
            let grams = TextSimilarity.trigrams(of: String(word)).joined(separator: " ")
            let index = try database.cachedStatement(sql: "INSERT INTO word_text (rowid, grams) VALUES (?, ?)")
            try index.execute(arguments: [database.lastInsertedRowID, grams])
        }
        if known.count > 100_000 { known = [] }
    }
}
