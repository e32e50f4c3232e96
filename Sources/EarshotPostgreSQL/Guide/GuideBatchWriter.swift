import EarshotBroadcast
import EarshotCore
import EarshotMusic

/// Makes changes to a guide within a transaction.
///
/// Writers, such as an import and a purge, take turns, so that each sees the changes of the one before: existing channels, airings of a span,
/// programs without airings. Readers never wait.
struct GuideBatchWriter {
    /// The most rows of one statement.
    private static let rowLimit = 5_000

    private let connection: PostgreSQLConnection

    /// Creates a writer, which waits for its turn. The turn ends with the transaction.
    init(_ connection: PostgreSQLConnection) throws {
        self.connection = connection
        guard try connection.row("SELECT one FROM guide_writer FOR UPDATE") != nil else {
            throw EarshotError(.storeDamaged, "The row of guide_writer is missing: restore the database from a backup.")
        }
    }

    /// Returns those of some entities that are in the database.
    func present(_ names: GuideBatch.Names) throws -> GuideBatch.Names {
        var present = GuideBatch.Names()
        present.works = try self.present(names.works, "guide_work")
        present.programs = try self.present(names.programs, "guide_program")
        present.channels = try self.present(names.channels, "guide_channel")
        return present
    }

    private func present<Entity>(_ ids: Set<EntityID<Entity>>, _ table: String) throws -> Set<EntityID<Entity>> {
        var present: Set<EntityID<Entity>> = []
        for ids in ids.compactMap({ GuideKey.sought($0.rawValue) }).parts(of: Self.rowLimit) {
            let rows = try connection.rows("SELECT id FROM \(table) WHERE id = ANY($1)", PostgreSQLValue.texts(ids))
            for row in rows { present.insert(EntityID(try row.required("id", row.text))) }
        }
        return present
    }

    /// Makes the changes of a batch.
    ///
    /// - Throws: `metadataInvalid` for an identifier that no column can hold.
    func write(_ batch: GuideBatch) throws {
        try put(batch.works.values.map { ($0.id.rawValue, TitleKeys($0), $0) }, "work")
        try put(batch.programs.values.map { ($0.id.rawValue, TitleKeys($0), $0) }, "program")
        try put(Array(batch.channels.values))
        for step in batch.steps {
            try clear(step.spans)
            try put(step.slots)
        }
    }

    // MARK: - Entities

    private func put<Entity: Encodable>(
        _ entities: [(id: String, keys: TitleKeys, entity: Entity)],
        _ table: String
    ) throws {
        for entities in entities.parts(of: Self.rowLimit) {
            // Most entities of a repeated import are unchanged: those are neither written nor indexed again.
            let rows = try connection.rows(
                """
                INSERT INTO guide_\(table) AS kept (id, name, json)
                SELECT id, name, json FROM unnest($1, $2, $3) AS given (id, name, json)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, json = excluded.json
                WHERE kept.name <> excluded.name OR kept.json <> excluded.json
                RETURNING id, pk
                """,
                PostgreSQLValue.texts(try entities.map { try GuideKey.checked($0.id, "identifier of a \(table)") }),
                PostgreSQLValue.texts(entities.map(\.keys.name)),
                PostgreSQLValue.texts(try entities.map { try GuideRecord.text($0.entity) })
            )
            let keys = try Self.keys(rows)
            var (words, owners): ([String], [Int]) = ([], [])
            for entity in entities {
                guard let key = keys[EntityID(entity.id)] else { continue }
                for word in entity.keys.words {
                    words.append(GuideKey.word(word))
                    owners.append(key)
                }
            }
            try replace(words, of: owners, among: Array(keys.values), "guide_\(table)_word", "word", "entity")
        }
    }

    private func put(_ channels: [BroadcastChannel]) throws {
        for channels in channels.parts(of: Self.rowLimit) {
            let rows = try connection.rows(
                """
                INSERT INTO guide_channel AS kept (id, tag, json)
                SELECT id, tag, json FROM unnest($1, $2, $3) AS given (id, tag, json)
                ON CONFLICT (id) DO UPDATE SET tag = excluded.tag, json = excluded.json
                WHERE kept.tag <> excluded.tag OR kept.json <> excluded.json
                RETURNING id, pk
                """,
                PostgreSQLValue.texts(
                    try channels.map { try GuideKey.checked($0.id.rawValue, "identifier of a channel") }
                ),
                PostgreSQLValue.texts(try channels.map { try GuideKey.checked($0.tag, "tag of a channel") }),
                PostgreSQLValue.texts(try channels.map { try GuideRecord.text($0) })
            )
            let keys = try Self.keys(rows)
            var (values, owners): ([String], [Int]) = ([], [])
            for channel in channels {
                guard let key = keys[EntityID(channel.id.rawValue)] else { continue }
                for link in channel.externalIdentifiers where link.source == ExternalIdentifier.xmltvSource {
                    values.append(try GuideKey.checked(link.value, "XMLTV identifier of a channel"))
                    owners.append(key)
                }
            }
            try replace(values, of: owners, among: Array(keys.values), "guide_channel_xmltv", "value", "channel")
        }
    }

    /// Returns the keys of written rows, by their identifiers.
    private static func keys(_ rows: [PostgreSQLRow]) throws -> [EntityID<GuideBatch>: Int] {
        var keys: [EntityID<GuideBatch>: Int] = [:]
        for row in rows { keys[EntityID(try row.required("id", row.text))] = try row.required("pk", row.integer) }
        return keys
    }

    /// Replaces the texts by which entities are found.
    private func replace(
        _ texts: [String],
        of owners: [Int],
        among keys: [Int],
        _ table: String,
        _ text: String,
        _ owner: String
    ) throws {
        guard !keys.isEmpty else { return }
        try connection.change("DELETE FROM \(table) WHERE \(owner) = ANY($1)", PostgreSQLValue.integers(keys))
        for part in Array(zip(texts, owners)).parts(of: Self.rowLimit) {
            try connection.change(
                "INSERT INTO \(table) (\(text), \(owner)) SELECT * FROM unnest($1, $2) ON CONFLICT DO NOTHING",
                PostgreSQLValue.texts(part.map(\.0)),
                PostgreSQLValue.integers(part.map(\.1))
            )
        }
    }

    // MARK: - Airings

    private func clear(_ spans: [EntityID<BroadcastChannel>: Range<Int64>]) throws {
        for spans in Array(spans).parts(of: Self.rowLimit) {
            let channels = PostgreSQLValue.texts(spans.map(\.key.rawValue))
            let starts = PostgreSQLValue.integers(spans.map { Int($0.value.lowerBound) })
            try connection.change(
                """
                DELETE FROM guide_airing AS a
                USING unnest($1, $2, $3) AS span (channel, start, finish) JOIN guide_channel c ON c.id = span.channel
                WHERE a.channel = c.pk AND a.start >= span.start AND a.start < span.finish
                """,
                channels,
                starts,
                PostgreSQLValue.integers(spans.map { Int($0.value.upperBound) })
            )
            try connection.change(
                """
                UPDATE guide_airing AS a SET finish = span.start
                FROM unnest($1, $2) AS span (channel, start) JOIN guide_channel c ON c.id = span.channel
                WHERE a.channel = c.pk AND a.start < span.start AND a.start >= span.start - $3 AND a.finish > span.start
                """,
                channels,
                starts,
                Int(GuideSlot.maximumMilliseconds)
            )
        }
    }

    private func put(_ slots: [GuideSlot]) throws {
        for slots in slots.parts(of: Self.rowLimit) {
            try connection.change(
                """
                INSERT INTO guide_airing (channel, start, finish, program, live, again)
                SELECT c.pk, given.start, given.finish, p.pk, given.live <> 0, given.again <> 0
                FROM unnest($1, $2, $3, $4, $5, $6) AS given (channel, start, finish, program, live, again)
                JOIN guide_channel c ON c.id = given.channel JOIN guide_program p ON p.id = given.program
                ON CONFLICT (channel, start) DO UPDATE SET
                    finish = excluded.finish, program = excluded.program, live = excluded.live, again = excluded.again
                """,
                PostgreSQLValue.texts(slots.map(\.channel.rawValue)),
                PostgreSQLValue.integers(slots.map { Int(GuideSlot.clamped($0.start)) }),
                PostgreSQLValue.integers(slots.map { Int(GuideSlot.clamped($0.end)) }),
                PostgreSQLValue.texts(slots.map(\.program.rawValue)),
                PostgreSQLValue.integers(slots.map { $0.isLive ? 1 : 0 }),
                PostgreSQLValue.integers(slots.map { $0.isRepeat ? 1 : 0 })
            )
        }
    }

    /// Removes airings that have ended, and, with `withPrograms`, programs that no airing shows any more.
    ///
    /// - Returns: The number of airings, at most `limit`.
    func removeAirings(endedBy instant: Int, withPrograms: Bool, limit: Int) throws -> Int {
        let rows = try connection.rows(
            """
            WITH ended AS (
                DELETE FROM guide_airing WHERE (channel, start) IN (
                    SELECT channel, start FROM guide_airing WHERE finish <= $1 ORDER BY finish LIMIT $2)
                RETURNING program)
            SELECT program, count(*) AS count FROM ended GROUP BY program
            """,
            instant,
            limit
        )
        if withPrograms, !rows.isEmpty {
            try connection.change(
                """
                DELETE FROM guide_program AS p
                WHERE pk = ANY($1) AND NOT EXISTS (SELECT FROM guide_airing a WHERE a.program = p.pk)
                """,
                PostgreSQLValue.integers(try rows.map { row in try row.required("program", row.integer) })
            )
        }
        return try rows.reduce(0) { sum, row in sum + (try row.required("count", row.integer)) }
    }
}

extension Array {
    /// Returns the elements in arrays of at most `size`.
    fileprivate func parts(of size: Int) -> some Sequence<[Element]> {
        stride(from: 0, to: count, by: size).lazy.map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
