import EarshotMusic
import GRDB

/// A search for lyrics in one read of the database.
struct LyricSearch {
    let database: Database

    init(_ database: Database) { self.database = database }

    func hits(_ query: LyricQuery) throws -> [MusicHit] {
        let search = WordSearch(query)
        let terms = search.terms
        guard !terms.isEmpty else { return [] }
        // First the phrase, then its words in any order, then nearly all of them.
        var candidates = try candidates(MusicSearch.quoted(terms.map(\.text).joined(separator: " ")), search.artist)
        if candidates.isEmpty {
            candidates = try self.candidates(MusicSearch.allOf(terms), search.artist)
        }
        if candidates.isEmpty, search.mayMiss {
            candidates = try self.candidates(terms.map(MusicSearch.term).joined(separator: " OR "), search.artist)
        }
        var hits: [MusicHit] = []
        for (candidate, score) in search.ranked(candidates) where hits.count < query.offset + query.limit {
            let sql = """
                SELECT track FROM lyrics_track JOIN track ON track.id = track
                WHERE lyrics = (SELECT pk FROM lyrics WHERE id = ?) ORDER BY key
                """
            let tracks = try String.fetchAll(database, sql: sql, arguments: [candidate.id])
            hits += WordSearch.hits(candidate.id, score, tracks: tracks)
        }
        return Array(hits.dropFirst(query.offset).prefix(query.limit))
    }

    private func candidates(_ words: String, _ artist: [[SearchQuery.Term]]) throws -> [WordSearch.Candidate] {
        var match = "words : (\(words))"
        if !artist.isEmpty {
            match += " AND artist : (\(artist.map { "(\(MusicSearch.allOf($0)))" }.joined(separator: " OR ")))"
        }
        let sql = """
            SELECT k.number, e.id, k.words FROM lyrics_text t JOIN lyrics_key k ON k.number = t.rowid
            JOIN lyrics e ON e.pk = k.pk WHERE lyrics_text MATCH ? ORDER BY t.rowid LIMIT ?
            """
        return try Row.fetchAll(database, sql: sql, arguments: [match, WordSearch.candidateLimit]).map { row in
            WordSearch.Candidate(number: row[0], id: row[1], words: row[2])
        }
    }
}
