import EarshotMusic
import GRDB

/// A search by words of songs within one reading of the database.
struct LyricSearch {
    private static let candidateLimit = 400

    let database: Database

    init(_ database: Database) { self.database = database }

    private struct Candidate {
        var number: Int64
        var id: String
        var words: String
        var pk: Int64
    }

    func hits(_ query: LyricQuery) throws -> [MusicHit] {
        let terms = SearchQuery(query.fragment).terms
        guard !terms.isEmpty else { return [] }
        // An artist without words, such as a space, narrows nothing: the index knows no empty parentheses.
        let artist = query.artist.map { SearchQuery($0).readings.filter { !$0.isEmpty } } ?? []
        // As it is remembered; then the same words in any order; then nearly all of them.
        var candidates = try candidates(MusicSearch.quoted(terms.map(\.text).joined(separator: " ")), artist)
        if candidates.isEmpty {
            candidates = try self.candidates(MusicSearch.allOf(terms), artist)
        }
        if candidates.isEmpty, terms.count >= 4 {
            candidates = try self.candidates(terms.map(MusicSearch.term).joined(separator: " OR "), artist)
        }
        let wanted = Set(terms.flatMap(\.tokens))
        let scored = candidates.map { candidate in
            let words = Set(candidate.words.split(separator: " ").map(String.init))
            return (candidate, Double(wanted.intersection(words).count) / Double(wanted.count))
        }
        .filter { $0.1 >= 0.6 }
        .sorted { ($0.1, $1.0.number) > ($1.1, $0.0.number) }
        var hits: [MusicHit] = []
        for (candidate, score) in scored where hits.count < query.offset + query.limit {
            let sql = "SELECT track FROM lyrics_track JOIN track ON track.id = track WHERE lyrics = ? ORDER BY key"
            let tracks = try String.fetchAll(database, sql: sql, arguments: [candidate.pk])
            if tracks.isEmpty {
                hits.append(MusicHit(.lyrics(EntityID(candidate.id)), score: score))
            } else {
                hits += tracks.map { MusicHit(.track(EntityID($0)), score: score) }
            }
        }
        return Array(hits.dropFirst(query.offset).prefix(query.limit))
    }

    private func candidates(_ words: String, _ artist: [[SearchQuery.Term]]) throws -> [Candidate] {
        var match = "words : (\(words))"
        if !artist.isEmpty {
            match += " AND artist : (\(artist.map { "(\(MusicSearch.allOf($0)))" }.joined(separator: " OR ")))"
        }
        let sql = """
            SELECT k.number, e.id, k.words, e.pk FROM lyrics_text t JOIN lyrics_key k ON k.number = t.rowid
            JOIN lyrics e ON e.pk = k.pk WHERE lyrics_text MATCH ? ORDER BY t.rowid LIMIT ?
            """
        return try Row.fetchAll(database, sql: sql, arguments: [match, Self.candidateLimit]).map { row in
            Candidate(number: row[0], id: row[1], words: row[2], pk: row[3])
        }
    }
}
