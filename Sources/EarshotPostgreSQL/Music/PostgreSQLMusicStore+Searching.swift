package import EarshotCore
package import EarshotMusic

extension PostgreSQLMusicStore {
    /// Returns the entities that fit a text, the best first. Of very many hits the most popular ones are put in order.
    package func search(_ query: MusicQuery) async throws(EarshotError) -> [MusicHit] {
        let search = NameSearch(query)
        guard !search.fields.isEmpty else { return [] }
        return try await pool.read { connection in
            let names = NameLookup(connection)
            var candidates = try names.candidates(search.kind, search.fields)
            if candidates.isEmpty, let meant = try search.corrected(isKnown: names.isKnown, nearest: names.nearest) {
                candidates = try names.candidates(search.kind, meant)
            }
            return search.hits(candidates)
        }
    }

    /// Returns the tracks whose lyrics contain a fragment, the best first: as it is, in any order, or with most of the words.
    package func search(_ query: LyricQuery) async throws(EarshotError) -> [MusicHit] {
        let search = WordSearch(query)
        guard !search.terms.isEmpty else { return [] }
        return try await pool.read { connection in
            let lookup = LyricLookup(connection)
            let terms = search.terms
            let phrase = SearchQuery.Term(tokens: terms.flatMap(\.tokens))
            var candidates = try lookup.candidates([[phrase]], search)
            if candidates.isEmpty, terms != [phrase] { candidates = try lookup.candidates([terms], search) }
            if candidates.isEmpty, search.mayMiss { candidates = try lookup.candidates(terms.map { [$0] }, search) }
            // Each candidate gives at least one hit, so these are enough.
            let ranked = search.ranked(candidates).prefix(query.offset + query.limit)
            let tracks = try lookup.tracks(of: ranked.map(\.candidate.id))
            let hits = ranked.flatMap { candidate, score in
                WordSearch.hits(candidate.id, score, tracks: tracks[EntityID(candidate.id)] ?? [])
            }
            return Array(hits.dropFirst(query.offset).prefix(query.limit))
        }
    }
}

/// Searches names.
private struct NameLookup {
    let connection: PostgreSQLConnection

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    func candidates(_ kind: MusicKind, _ fields: [NameSearch.Field]) throws -> [NameSearch.Candidate] {
        let words = fields.map { field in
            MusicWords.query(field.readings, in: field.column.map { [$0] } ?? kind.columns, with: .beginnings)
        }.joined(separator: " & ")
        let table = kind.table
        var rows = try connection.rows(MusicTables.search(table, limit: NameSearch.candidateLimit), words)
        if rows.count == NameSearch.candidateLimit, let whole = NameSearch.whole(of: fields, kind) {
            // If there are more candidates than are read, an entity of exactly this name may be too unpopular to be among them. The
            // order is that of the index.
            let columns = (["number", "id", "name"] + (MusicTables.columns[table] ?? [])).joined(separator: ", ")
            rows += try connection.rows(
                """
                SELECT \(columns) FROM music_\(table)_key WHERE left(name, 200) = left($1, 200) AND name = $1
                ORDER BY left(name, 200), number LIMIT $2
                """,
                MusicWords.plain(whole),
                NameSearch.exactLimit
            )
        }
        var seen: Set<Int64> = []
        return try rows.compactMap { row in
            let number = Int64(try row.required("number", row.integer))
            guard seen.insert(number).inserted else { return nil }
            var columns: [String: String] = [:]
            for column in MusicTables.columns[table] ?? [] { columns[column] = try row.text(column) }
            return NameSearch.Candidate(
                number: number,
                id: try row.required("id", row.text),
                name: try row.required("name", row.text),
                columns: columns
            )
        }
    }

    func isKnown(_ term: SearchQuery.Term) throws -> Bool {
        let condition = term.isPrefix ? "word >= $1 AND word < $1 || chr(1114111)" : "word = $1"
        return try connection.row(
            "SELECT 1 AS known FROM music_word WHERE \(condition) LIMIT 1",
            MusicWords.plain(term.text)
        ) != nil
    }

    func nearest(to word: String) throws -> String? {
        let grams = NameWords.trigrams(of: MusicWords.plain(word))
        guard !grams.isEmpty else { return nil }
        // Ranked by the number of common trigrams, divided by 1 + the logarithm of the number of trigrams of the word.
        let words = try connection.rows(
            """
            SELECT word FROM music_word WHERE grams @@ $1::tsquery ORDER BY ts_rank(grams, $1::tsquery, 16) DESC, word LIMIT 100
            """,
            grams.map(MusicWords.quoted).joined(separator: " | ")
        ).map { row in try row.required("word", row.text) }
        return NameWords.nearest(to: word, among: words)
    }
}

/// Searches lyrics.
private struct LyricLookup {
    let connection: PostgreSQLConnection

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    func candidates(_ words: [[SearchQuery.Term]], _ search: WordSearch) throws -> [WordSearch.Candidate] {
        var query = MusicWords.query(words, in: ["words"], with: .pairs)
        if !search.artist.isEmpty {
            query += " & " + MusicWords.query(search.artist, in: ["artist"], with: .pairs)
        }
        return try connection.rows(MusicTables.search("lyrics", limit: WordSearch.candidateLimit), query).map { row in
            WordSearch.Candidate(
                number: Int64(try row.required("number", row.integer)),
                id: try row.required("id", row.text),
                words: try row.required("text", row.text)
            )
        }
    }

    /// Returns the tracks of lyrics, the most popular first.
    func tracks(of lyrics: [String]) throws -> [EntityID<Lyrics>: [String]] {
        var tracks: [EntityID<Lyrics>: [String]] = [:]
        let rows = try connection.rows(
            """
            SELECT music_lyrics.id AS lyrics, music_track.id AS track FROM music_lyrics
            JOIN music_lyrics_track ON music_lyrics_track.lyrics = music_lyrics.pk
            JOIN music_track ON music_track.id = music_lyrics_track.track
            WHERE music_lyrics.id = ANY ($1) ORDER BY music_track.key
            """,
            PostgreSQLValue.texts(lyrics)
        )
        for row in rows {
            tracks[EntityID(try row.required("lyrics", row.text)), default: []].append(
                try row.required("track", row.text)
            )
        }
        return tracks
    }
}
