public import EarshotCore
public import EarshotMusic
import GRDB

extension SQLiteMusicStore {
    /// What fits a text, the best first. Of very many hits the most popular ones are put in order.
    public func search(_ query: MusicQuery) async throws(EarshotError) -> [MusicHit] {
        try await read { try MusicSearch($0).hits(query) }
    }

    /// The tracks whose words hold a fragment, the best first: as it is, in any order, or with most of the words.
    public func search(_ query: LyricQuery) async throws(EarshotError) -> [MusicHit] {
        try await read { try LyricSearch($0).hits(query) }
    }
}

/// A search by names within one reading of the database.
struct MusicSearch {
    /// Of more hits than this the most popular ones are looked at, and those that are called exactly what was asked for.
    static let candidateLimit = 400

    let database: Database

    init(_ database: Database) { self.database = database }

    /// A field of the query, and the column that it is looked for in.
    private struct Field {
        var column: String?
        /// All ways to read it; all terms of one of them have to be found.
        var readings: [[SearchQuery.Term]]
        /// The whole of it, as names are compared.
        var whole: String
    }

    private struct Candidate {
        var number: Int64
        var id: String
        var name: String
        var columns: [String: String]
    }

    func hits(_ query: MusicQuery) throws -> [MusicHit] {
        let kind = Self.kind(of: query)
        let fields = Self.fields(of: query)
        guard !fields.isEmpty else { return [] }
        var candidates = try candidates(kind, fields)
        if candidates.isEmpty {
            let meant = try fields.map(corrected)
            guard meant.contains(where: { field in field != nil }) else { return [] }
            candidates = try self.candidates(kind, zip(fields, meant).map { $1 ?? $0 })
        }
        let scored = candidates.map { (candidate: $0, score: Self.score($0, fields, kind)) }
            .sorted { ($0.score, $1.candidate.number) > ($1.score, $0.candidate.number) }
        return scored.dropFirst(query.offset).prefix(query.limit).map {
            MusicHit(Self.entity(kind, $0.candidate.id), score: $0.score)
        }
    }

    private static func kind(of query: MusicQuery) -> MusicKind {
        if query.track != nil || query.anything != nil { return .track }
        return query.album != nil ? .album : .artist
    }

    private static func entity(_ kind: MusicKind, _ id: String) -> MusicHit.Entity {
        switch kind {
        case .artist: .artist(EntityID(id))
        case .album: .album(EntityID(id))
        case .track: .track(EntityID(id))
        }
    }

    private static func fields(of query: MusicQuery) -> [Field] {
        [("track", query.track), ("album", query.album), ("artist", query.artist), (nil, query.anything)]
            .compactMap { column, text in
                guard let text else { return nil }
                let search = SearchQuery(text, isTyping: query.isTyping)
                guard !search.terms.isEmpty else { return nil }
                return Field(column: column, readings: search.readings, whole: search.text.folded)
            }
    }

    // MARK: - Candidates

    private func candidates(_ kind: MusicKind, _ fields: [Field]) throws -> [Candidate] {
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
            arguments: [match, Self.candidateLimit]
        )
        if rows.count == Self.candidateLimit,
            let whole = fields.first(where: { $0.column == table || $0.column == nil })?.whole
        {
            // Among very many, what is called exactly so may be little known.
            rows += try Row.fetchAll(
                database,
                sql: """
                    \(select) FROM \(table)_key k JOIN \(table) e ON e.pk = k.pk WHERE k.name = ? ORDER BY k.number LIMIT 50
                    """,
                arguments: [whole]
            )
        }
        var seen: Set<Int64> = []
        return rows.compactMap { row in
            guard seen.insert(row[0]).inserted else { return nil }
            let texts = columns.enumerated().map { ($1, row[$0 + 3] as String) }
            return Candidate(
                number: row[0],
                id: row[1],
                name: row[2],
                columns: Dictionary(texts) { first, _ in first }
            )
        }
    }

    static func allOf(_ terms: [SearchQuery.Term]) -> String { terms.map(term).joined(separator: " AND ") }

    /// A term as the index reads it: in quotation marks, so that nothing in it is an operator.
    static func term(_ term: SearchQuery.Term) -> String {
        quoted(term.text) + (term.isPrefix ? "*" : "")
    }

    static func quoted(_ text: String) -> String { "\"" + text.replacingScalars(["\"": "\"\""]) + "\"" }

    // MARK: - Mistakes

    /// A field with words that are known in place of those that are not; nothing when no word is near.
    private func corrected(_ field: Field) throws -> Field? {
        var terms = field.readings[0]
        var hasChanged = false
        for (index, term) in terms.enumerated() where try !isKnown(term) {
            guard let word = try nearest(to: term.text) else { return nil }
            terms[index] = SearchQuery.Term(tokens: [word])
            hasChanged = true
        }
        guard hasChanged else { return nil }
        var corrected = field
        corrected.readings = [terms]
        return corrected
    }

    private func isKnown(_ term: SearchQuery.Term) throws -> Bool {
        // Scripts without spaces have no words to compare with.
        guard term.tokens.count == 1 else { return true }
        let sql =
            term.isPrefix
            ? "SELECT 1 FROM word WHERE word >= ?1 AND word < ?1 || char(0x10FFFF) LIMIT 1"
            : "SELECT 1 FROM word WHERE word = ?1"
        return try Int.fetchOne(database, sql: sql, arguments: [term.text]) != nil
    }

    /// The known word that a mistyped one most likely meant.
    private func nearest(to word: String) throws -> String? {
        let grams = TextSimilarity.trigrams(of: word)
        guard word.utf8.count >= Vocabulary.shortest, !grams.isEmpty else { return nil }
        let words = try String.fetchAll(
            database,
            sql: """
                SELECT word.word FROM word_text JOIN word ON word.pk = word_text.rowid WHERE word_text MATCH ?
                ORDER BY rank LIMIT 100
                """,
            arguments: [grams.map(Self.quoted).joined(separator: " OR ")]
        )
        let best = words.map { (word: $0, likeness: TextSimilarity.jaroWinkler(word, $0)) }
            .max { ($0.likeness, $1.word) < ($1.likeness, $0.word) }
        return best.flatMap { $0.likeness >= Vocabulary.leastLikeness ? $0.word : nil }
    }

    // MARK: - Order

    /// How well a candidate fits, most of all by the name that was asked for, then by how well it is known.
    private static func score(_ candidate: Candidate, _ fields: [Field], _ kind: MusicKind) -> Double {
        var score = SearchIndexEntry.popularity(of: candidate.number)
        for field in fields {
            let column = field.column ?? kind.table
            let text = column == kind.table ? candidate.name : candidate.columns[column] ?? ""
            guard !text.isEmpty else { continue }
            if text == field.whole {
                score += 4
            } else if text.hasPrefix(field.whole) {
                score += 2
            } else if text.contains(field.whole) {
                score += 1
            }
            // Of names that hold the same words the shorter says less else.
            score += min(1, Double(field.whole.utf8.count) / Double(text.utf8.count))
        }
        return score
    }
}
