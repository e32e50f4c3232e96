import EarshotCore
import EarshotMusic

// What was gathered is written, many rows with a statement.
extension MusicTransaction {
    /// The most rows of a statement.
    private static var most: Int { 1_000 }

    /// Writes all pending changes.
    func flush() throws {
        try flush(Artist.self)
        try flush(Album.self)
        try flush(Track.self)
        try flushLyrics()
        try flushWords()
    }

    private func flush<Entity: MusicEntity>(_ type: Entity.Type) throws {
        let pending = self[keyPath: Entity.changes].pending.values.sorted { $0.number < $1.number }
        for start in stride(from: 0, to: pending.count, by: Self.most) {
            try write(Array(pending[start..<min(pending.count, start + Self.most)]))
        }
        self[keyPath: Entity.changes].pending = [:]
    }

    private func write<Entity: MusicEntity>(_ rows: [MusicChanges<Entity>.Pending]) throws {
        let (table, kind) = (Entity.kind.table, Entity.kind.rawValue)
        let stored = self[keyPath: Entity.changes].stored
        let before = rows.map { stored[$0.entity.id] ?? nil }
        let old = rows.indices.filter { before[$0] != nil }.map { rows[$0].entity.id.rawValue }
        if !old.isEmpty { try dropKeys(table, of: old) }
        let places = try upsert(rows)
        try insertKeys(
            table,
            rows.map { (id: $0.entity.id.rawValue, number: $0.number, keys: $0.keys) },
            Entity.kind.columns,
            with: .beginnings
        )
        for row in rows { for column in row.keys.columns { learn(column) } }
        try setCredits(rows, old.compactMap { places[EntityID($0)] }, places, kind)
        var (gone, added): ([(String, Int)], [(String, Int)]) = ([], [])
        for (row, before) in zip(rows, before) {
            guard let place = places[row.entity.id] else { continue }
            let (now, then) = (row.entity.identifiers, before?.identifiers ?? [])
            gone += then.subtracting(now).map { ($0.description, place) }
            added += now.subtracting(then).map { ($0.description, place) }
            self[keyPath: Entity.changes].stored[row.entity.id] = row.entity
        }
        try removeIdentifiers(gone, kind)
        guard !added.isEmpty else { return }
        try connection.change(
            """
            INSERT INTO music_identifier (value, kind, entity) SELECT value, \(kind), entity FROM unnest($1, $2) AS new (value, entity)
            ON CONFLICT DO NOTHING
            """,
            PostgreSQLValue.texts(added.map(\.0)),
            PostgreSQLValue.integers(added.map(\.1))
        )
    }

    /// Adds or changes the rows of entities.
    ///
    /// - Returns: The numbers of the rows.
    private func upsert<Entity: MusicEntity>(
        _ rows: [MusicChanges<Entity>.Pending]
    ) throws -> [EntityID<Entity>: Int] {
        let table = Entity.kind.table
        let columns = Entity.columns
        let names = ["id", "key", "json"] + columns.map(\.name)
        let values = ["id", "key", "json"] + columns.map(\.value)
        let changes = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let marks = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let entities = rows.map(\.entity)
        let result = try connection.run(
            """
            INSERT INTO music_\(table) (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", "))
            FROM unnest(\(marks)) AS new (\(names.joined(separator: ", ")))
            ON CONFLICT (id) DO UPDATE SET \(changes) RETURNING id, pk
            """,
            [
                .texts(entities.map(\.id.rawValue)), .integers(rows.map(\.number)),
                .texts(try rows.map { row in try row.json ?? text(row.entity) }),
            ] + columns.map { $0.values(entities) }
        )
        var places: [EntityID<Entity>: Int] = [:]
        for row in result.rows {
            places[EntityID(try row.required("id", row.text))] = try row.required("pk", row.integer)
        }
        return places
    }

    // MARK: - Keys

    /// Removes the keys of entities.
    func dropKeys(_ table: String, of ids: [String]) throws {
        let rows = try connection.rows(
            """
            WITH gone AS (
                DELETE FROM music_\(table)_key WHERE number IN (SELECT key FROM music_\(table) WHERE id = ANY ($1)) RETURNING tier
            )
            SELECT tier, count(*) AS count FROM gone GROUP BY tier
            """,
            PostgreSQLValue.texts(ids)
        )
        for row in rows {
            let (count, tier) = (try row.required("count", row.integer), try row.required("tier", row.integer))
            try withTiers(table) { $0.remove(count, from: tier) }
        }
    }

    private func insertKeys(
        _ table: String,
        _ rows: [(id: String, number: Int, keys: SearchIndexEntry)],
        _ indexed: [String],
        with addition: MusicWords.Addition
    ) throws {
        let kept = MusicTables.columns[table] ?? []
        let names = ["number", "id", "tier", "name"] + kept
        let rows = rows.sorted { $0.number < $1.number }
        let tiers = try withTiers(table) { tiers in rows.map { tiers.add($0.number) } }
        // Lyrics store their words, all others the last columns: the first column is compared by the name.
        let texts = kept.indices.map { column in
            PostgreSQLValue.texts(
                rows.map {
                    MusicWords.plain($0.keys.columns[table == "lyrics" ? column : indexed.count - kept.count + column])
                }
            )
        }
        let words = rows.map { row in
            MusicWords.vector(Array(zip(indexed, row.keys.columns)), with: addition)
        }
        let marks = (1...names.count + 1).map { "$\($0)" }.joined(separator: ", ")
        let list = names.joined(separator: ", ")
        _ = try connection.run(
            """
            INSERT INTO music_\(table)_key (\(list), words) SELECT \(list), words::tsvector
            FROM unnest(\(marks)) AS new (\(list), words)
            """,
            [
                .integers(rows.map(\.number)), .texts(rows.map(\.id)), .integers(tiers),
                .texts(rows.map { MusicWords.plain($0.keys.name) }),
            ] + texts + [.texts(words)]
        )
    }

    // MARK: - Credits and identifiers

    private func setCredits<Entity: MusicEntity>(
        _ rows: [MusicChanges<Entity>.Pending],
        _ old: [Int],
        _ places: [EntityID<Entity>: Int],
        _ kind: Int
    ) throws {
        guard Entity.kind != .artist else { return }
        if !old.isEmpty {
            try connection.change(
                "DELETE FROM music_credit WHERE kind = \(kind) AND entity = ANY ($1)",
                PostgreSQLValue.integers(old)
            )
        }
        let credits = rows.flatMap { row in
            row.artists.map(\.rawValue).filter(PostgreSQLMusicStore.isPossible)
                .compactMap { artist in places[row.entity.id].map { (artist, $0) } }
        }
        guard !credits.isEmpty else { return }
        try connection.change(
            """
            INSERT INTO music_credit (artist, kind, entity) SELECT artist, \(kind), entity
            FROM unnest($1, $2) AS new (artist, entity) ON CONFLICT DO NOTHING
            """,
            PostgreSQLValue.texts(credits.map(\.0)),
            PostgreSQLValue.integers(credits.map(\.1))
        )
    }

    /// Removes external identifiers, such as ISRCs, from entities.
    func removeIdentifiers(_ gone: [(value: String, entity: Int)], _ kind: Int) throws {
        guard !gone.isEmpty else { return }
        try connection.change(
            """
            DELETE FROM music_identifier USING unnest($1, $2) AS gone (value, entity)
            WHERE music_identifier.value = gone.value AND kind = \(kind) AND music_identifier.entity = gone.entity
            """,
            PostgreSQLValue.texts(gone.map(\.value)),
            PostgreSQLValue.integers(gone.map(\.entity))
        )
    }

    // MARK: - Lyrics

    private func flushLyrics() throws {
        let pending = lyrics.values.sorted { $0.number < $1.number }
        for start in stride(from: 0, to: pending.count, by: Self.most) {
            try write(Array(pending[start..<min(pending.count, start + Self.most)]))
        }
        lyrics = [:]
    }

    private func write(_ rows: [PendingLyrics]) throws {
        let ids = rows.map(\.lyrics.id.rawValue)
        try dropKeys("lyrics", of: ids)
        let result = try connection.rows(
            """
            INSERT INTO music_lyrics (id, key, json) SELECT id, key, json FROM unnest($1, $2, $3) AS new (id, key, json)
            ON CONFLICT (id) DO UPDATE SET key = excluded.key, json = excluded.json RETURNING id, pk
            """,
            PostgreSQLValue.texts(ids),
            PostgreSQLValue.integers(rows.map(\.number)),
            PostgreSQLValue.texts(try rows.map { row in try row.json ?? text(row.lyrics) })
        )
        var places: [EntityID<Lyrics>: Int] = [:]
        for row in result { places[EntityID(try row.required("id", row.text))] = try row.required("pk", row.integer) }
        try insertKeys(
            "lyrics",
            rows.map { (id: $0.lyrics.id.rawValue, number: $0.number, keys: $0.keys) },
            ["words", "artist"],
            with: .pairs
        )
        try connection.change(
            "DELETE FROM music_lyrics_track WHERE lyrics = ANY ($1)",
            PostgreSQLValue.integers(Array(places.values))
        )
        let tracks = rows.flatMap { row in
            row.tracks.map(\.rawValue).filter(PostgreSQLMusicStore.isPossible)
                .compactMap { track in places[row.lyrics.id].map { (track, $0) } }
        }
        guard !tracks.isEmpty else { return }
        try connection.change(
            """
            INSERT INTO music_lyrics_track (track, lyrics) SELECT track, lyrics FROM unnest($1, $2) AS new (track, lyrics)
            ON CONFLICT DO NOTHING
            """,
            PostgreSQLValue.texts(tracks.map(\.0)),
            PostgreSQLValue.integers(tracks.map(\.1))
        )
    }

    // MARK: - Words of names

    private func learn(_ column: String) {
        for word in NameWords.kept(in: MusicWords.plain(column)) where !knownWords.contains(String(word)) {
            newWords.insert(String(word))
        }
    }

    private func flushWords() throws {
        guard !newWords.isEmpty else { return }
        // Most words exist already: for those, no trigrams need to be computed.
        let rows = try connection.rows(
            "SELECT word FROM music_word WHERE word = ANY ($1)",
            PostgreSQLValue.texts(Array(newWords))
        )
        knownWords.formUnion(newWords)
        newWords.subtract(try rows.map { row in try row.required("word", row.text) })
        let words = newWords.sorted()
        newWords = []
        guard !words.isEmpty else { return }
        try connection.change(
            """
            INSERT INTO music_word (word, grams) SELECT word, grams::tsvector FROM unnest($1, $2) AS new (word, grams)
            ON CONFLICT DO NOTHING
            """,
            PostgreSQLValue.texts(words),
            PostgreSQLValue.texts(
                words.map { TextSimilarity.trigrams(of: $0).map(MusicWords.quoted).joined(separator: " ") }
            )
        )
    }
}
