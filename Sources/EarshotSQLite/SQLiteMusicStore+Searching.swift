public import EarshotCore
public import EarshotMusic
import GRDB

extension SQLiteMusicStore {
    /// Returns the hits for a text, the best first. Of very many hits only the most popular ones are ranked.
    public func search(_ query: MusicQuery) async throws(EarshotError) -> [MusicHit] {
        try await read { try MusicSearch($0).hits(query) }
    }

    /// Returns the tracks whose lyrics contain a fragment, the best first: as it is, in any order, or with most of the words.
    public func search(_ query: LyricQuery) async throws(EarshotError) -> [MusicHit] {
        try await read { try LyricSearch($0).hits(query) }
    }
}

/// A search by names in one read of the database.
struct MusicSearch {
    let database: Database

    init(_ database: Database) { self.database = database }

    func hits(_ query: MusicQuery) throws -> [MusicHit] {
        let search = NameSearch(query)
        guard !search.fields.isEmpty else { return [] }
        var candidates = try candidates(search.kind, search.fields)
        if candidates.isEmpty, let meant = try search.corrected(isKnown: isKnown, nearest: nearest) {
            candidates = try self.candidates(search.kind, meant)
        }
        return search.hits(candidates)
    }

    // MARK: - Candidates

    private func candidates(_ kind: MusicKind, _ fields: [NameSearch.Field]) throws -> [NameSearch.Candidate] {
        let match: String = fields.map { field -> String in
            let words: String = field.readings.map { "(\(Self.allOf($0)))" }.joined(separator: " OR ")
            return field.column.map { "\($0) : (\(words))" } ?? "(\(words))"
        }.joined(separator: " AND ")
        let table = kind.table
        let columns = kind.columns
        let select = "SELECT k.number, e.id, k.name, \(columns.map { "k.\($0)" }.joined(separator: ", "))"
        var rows = try Row.fetchAll(
            database,
            sql: """
                \(select) FROM \(table)_text t JOIN \(table)_key k ON k.number = t.rowid JOIN \(table) e ON e.pk = k.pk
                WHERE \(table)_text MATCH ? ORDER BY t.rowid LIMIT ?
                """,
            arguments: [match, NameSearch.candidateLimit]
        )
        if rows.count == NameSearch.candidateLimit, let whole = NameSearch.whole(of: fields, kind) {
            // If there are more candidates than are read, an entity of exactly this name may be too unpopular to be among them.
            rows += try Row.fetchAll(
                database,
                sql: """
                    \(select) FROM \(table)_key k JOIN \(table) e ON e.pk = k.pk WHERE k.name = ? ORDER BY k.number LIMIT ?
                    """,
                arguments: [whole, NameSearch.exactLimit]
            )
        }
        var seen: Set<Int64> = []
        return rows.compactMap { row in
            guard seen.insert(row[0]).inserted else { return nil }
            let texts = columns.enumerated().map { ($1, row[$0 + 3] as String) }
            return NameSearch.Candidate(
                number: row[0],
                id: row[1],
                name: row[2],
                columns: Dictionary(texts) { first, _ in first }
            )
        }
    }

    static func allOf(_ terms: [SearchQuery.Term]) -> String { terms.map(term).joined(separator: " AND ") }

    /// Returns a term for the index, in quotation marks, so that nothing in it is an operator.
    static func term(_ term: SearchQuery.Term) -> String {
        quoted(term.text) + (term.isPrefix ? "*" : "")
    }

    static func quoted(_ text: String) -> String { "\"" + text.replacingScalars(["\"": "\"\""]) + "\"" }

    // MARK: - Mistakes

    private func isKnown(_ term: SearchQuery.Term) throws -> Bool {
        let sql =
            term.isPrefix
            ? "SELECT 1 FROM word WHERE word >= ?1 AND word < ?1 || char(0x10FFFF) LIMIT 1"
            : "SELECT 1 FROM word WHERE word = ?1"
        return try Int.fetchOne(database, sql: sql, arguments: [term.text]) != nil
    }

    /// Returns the known word that a mistyped one most likely meant; `nil` if there is none.
    private func nearest(to word: String) throws -> String? {
        let grams = NameWords.trigrams(of: word)
        guard !grams.isEmpty else { return nil }
        let words = try String.fetchAll(
            database,
            sql: """
                SELECT word.word FROM word_text JOIN word ON word.pk = word_text.rowid WHERE word_text MATCH ?
                ORDER BY rank LIMIT 100
                """,
            arguments: [grams.map(Self.quoted).joined(separator: " OR ")]
        )
        return NameWords.nearest(to: word, among: words)
    }
}
