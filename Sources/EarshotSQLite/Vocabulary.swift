import EarshotMusic
import GRDB

/// The words of names in a store, from which mistyped words are corrected.
struct Vocabulary {
    /// Words that are known to be stored.
    private var known: Set<Substring> = []

    /// Adds the words of a column of keys.
    mutating func learn(_ column: String, in database: Database) throws {
        for word in NameWords.kept(in: column) {
            guard known.insert(word).inserted else { continue }
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
