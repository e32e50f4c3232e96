import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation

/// Writes plays, gaps and their changes, within a transaction that has the log for itself.
///
/// The row of the log is locked during the whole transaction. So a failed transaction leaves no gap in the numbers, and changes become visible
/// in the order of their numbers, neither of which a sequence of PostgreSQL guarantees. Plays that were read may be replaced, because no other
/// transaction changes them meanwhile. Many rows are written by few statements, because others wait.
struct PostgreSQLPlaylogWriter {
    /// The most rows that a statement writes.
    private static let chunk = 1_000

    private struct Change {
        let event: PlayEvent
        let isGap: Bool
        let ended: Int
        let json: String
    }

    private let connection: PostgreSQLConnection
    private var lastSequence: Int
    private var changes: [Change] = []
    private var longest = 0
    private var added = (plays: 0, gaps: 0)

    /// Creates a writer, which waits until the log is free.
    init(_ connection: PostgreSQLConnection) throws {
        self.connection = connection
        lastSequence = try Self.lock(connection)
    }

    /// Locks the log until the transaction ends, and returns the number of the last change. Later statements see all earlier changes; this one
    /// may not, if it waited.
    @discardableResult
    static func lock(_ connection: PostgreSQLConnection) throws -> Int {
        guard let row = try connection.row("SELECT last_sequence FROM play_log FOR UPDATE") else {
            throw EarshotError(.storeDamaged, "The log of plays has lost its counters: restore it from a backup.")
        }
        return try row.required("last_sequence", row.integer)
    }

    // MARK: - Plays

    /// Writes checked plays.
    mutating func put(_ records: [PlayRecord]) throws -> [PlayOutcome.Result] {
        try Self.chunks(of: records) { chunk in
            let (results, written) = try replace(chunk, in: "play_record", PlayReplacement.init(of:by:)) { record in
                (isGap: false, ended: record.end)
            }
            added.plays += written.count { $0.isNew }
            let rows = written.map { (record: $0.item, json: $0.json) }
            let spans = rows.map { ($0.record.start.milliseconds, $0.record.end.milliseconds) }
            longest = max(longest, spans.map { $0.1 - $0.0 }.max() ?? 0)
            if !rows.isEmpty {
                try connection.change(
                    """
                    INSERT INTO play_record (id, channel, start, ended, played, reference, kind, is_open, json)
                    SELECT id, channel, start, ended, played, reference, kind, is_open = 1, json
                    FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
                        AS new (id, channel, start, ended, played, reference, kind, is_open, json)
                    ON CONFLICT (id) DO UPDATE SET channel = excluded.channel, start = excluded.start,
                        ended = excluded.ended, played = excluded.played, reference = excluded.reference,
                        kind = excluded.kind, is_open = excluded.is_open, json = excluded.json
                    """,
                    PostgreSQLValue.texts(rows.map(\.record.id.rawValue)),
                    PostgreSQLValue.texts(rows.map(\.record.channel.id.rawValue)),
                    PostgreSQLValue.integers(spans.map(\.0)),
                    PostgreSQLValue.integers(spans.map(\.1)),
                    PostgreSQLValue.doubles(rows.map(\.record.playedDuration)),
                    PostgreSQLValue.texts(rows.map { $0.record.referenceID?.rawValue ?? "" }),
                    PostgreSQLValue.texts(rows.map(\.record.kind.rawValue)),
                    PostgreSQLValue.integers(rows.map { $0.record.state == .provisional ? 1 : 0 }),
                    PostgreSQLValue.texts(rows.map(\.json))
                )
            }
            try writeChanges()
            return results
        }
    }

    /// Takes back provisional plays.
    mutating func withdraw(_ identifiers: [EntityID<PlayRecord>]) throws -> [PlayOutcome.Result] {
        try Self.chunks(of: identifiers) { chunk in
            var present = try current(PlayRecord.self, in: "play_record", chunk)
            var withdrawn: [String] = []
            let results = try chunk.map { id -> PlayOutcome.Result in
                guard let record = present[id] else { return .unchanged }
                guard record.state == .provisional else { return .keptFinal }
                present[id] = nil
                withdrawn.append(id.rawValue)
                return add(.playWithdrawn, false, record.end.milliseconds, try PlaylogRow.json(record))
            }
            if !withdrawn.isEmpty {
                let sql = "DELETE FROM play_record WHERE id = ANY($1)"
                added.plays -= try connection.change(sql, PostgreSQLValue.texts(withdrawn))
            }
            try writeChanges()
            return results
        }
    }

    // MARK: - Gaps

    /// Writes checked gaps.
    mutating func put(_ gaps: [StreamGap]) throws -> [PlayOutcome.Result] {
        try Self.chunks(of: gaps) { chunk in
            let (results, written) = try replace(chunk, in: "play_gap", PlayReplacement.init(of:by:)) { gap in
                (isGap: true, ended: gap.end ?? gap.start)
            }
            added.gaps += written.count { $0.isNew }
            if !written.isEmpty {
                try connection.change(
                    """
                    INSERT INTO play_gap (id, channel, start, ended, json) SELECT * FROM unnest($1, $2, $3, $4, $5)
                    ON CONFLICT (id) DO UPDATE SET channel = excluded.channel, start = excluded.start,
                        ended = excluded.ended, json = excluded.json
                    """,
                    PostgreSQLValue.texts(written.map(\.item.id.rawValue)),
                    PostgreSQLValue.texts(written.map(\.item.channel.id.rawValue)),
                    PostgreSQLValue.integers(written.map(\.item.start.milliseconds)),
                    PostgreSQLValue.integers(
                        written.map { $0.item.end?.milliseconds ?? Int(PlaylogTime.range.upperBound) }
                    ),
                    PostgreSQLValue.texts(written.map(\.json))
                )
            }
            try writeChanges()
            return results
        }
    }

    // MARK: - Rows

    private typealias Written<Item> = (item: Item, json: String, isNew: Bool)

    /// Decides for each item, in order, if it replaces the stored one, and adds the changes.
    ///
    /// - Returns: The outcome of each item, and the rows to write: the last one of each identifier.
    private mutating func replace<Item: Codable & Identifiable>(
        _ items: [Item],
        in table: String,
        _ decide: (Item?, Item) -> PlayReplacement,
        _ facts: (Item) -> (isGap: Bool, ended: Date)
    ) throws -> (results: [PlayOutcome.Result], rows: [Written<Item>]) where Item.ID == EntityID<Item> {
        var present = try current(Item.self, in: table, items.map(\.id))
        var rows: [Item.ID: Written<Item>] = [:]
        let results = try items.map { item -> PlayOutcome.Result in
            switch decide(present[item.id], item) {
            case .unchanged: return .unchanged
            case .keptFinal: return .keptFinal
            case .store(let event):
                let json = try PlaylogRow.json(item)
                let facts = facts(item)
                rows[item.id] = (item, json, rows[item.id]?.isNew ?? (present[item.id] == nil))
                present[item.id] = item
                return add(event, facts.isGap, facts.ended.milliseconds, json)
            }
        }
        return (results, Array(rows.values))
    }

    /// Returns the stored plays or gaps of some identifiers.
    private func current<Item: Decodable>(
        _ type: Item.Type,
        in table: String,
        _ identifiers: [EntityID<Item>]
    ) throws -> [EntityID<Item>: Item] {
        let sought = identifiers.map(\.rawValue).filter(PostgreSQLPlaylogStore.isKeepable)
        let rows = try connection.rows(
            "SELECT id, json FROM \(table) WHERE id = ANY($1)",
            PostgreSQLValue.texts(sought)
        )
        return try rows.reduce(into: [:]) { items, row in
            let id = EntityID<Item>(try row.required("id", row.text))
            items[id] = try PlaylogRow.value(type, try row.required("json", row.text))
        }
    }

    private mutating func add(_ event: PlayEvent, _ isGap: Bool, _ ended: Int, _ json: String) -> PlayOutcome.Result {
        changes.append(Change(event: event, isGap: isGap, ended: ended, json: json))
        lastSequence += 1
        return .stored(sequence: lastSequence)
    }

    /// Writes the changes of a chunk, and updates the row of the log.
    private mutating func writeChanges() throws {
        guard !changes.isEmpty else { return }
        let first = lastSequence - changes.count + 1
        try connection.change(
            """
            WITH log AS (
                UPDATE play_log
                SET last_sequence = $1, longest = greatest(longest, $2), plays = plays + $3, gaps = gaps + $4
            )
            INSERT INTO play_change (sequence, ended, event, is_gap, json)
            SELECT sequence, ended, event, is_gap = 1, json
            FROM unnest($5, $6, $7, $8, $9) AS new (sequence, ended, event, is_gap, json)
            """,
            lastSequence,
            longest,
            added.plays,
            added.gaps,
            PostgreSQLValue.integers(Array(first...lastSequence)),
            PostgreSQLValue.integers(changes.map(\.ended)),
            PostgreSQLValue.texts(changes.map(\.event.rawValue)),
            PostgreSQLValue.integers(changes.map { $0.isGap ? 1 : 0 }),
            PostgreSQLValue.texts(changes.map(\.json))
        )
        (changes, added) = ([], (0, 0))
    }

    private static func chunks<Item>(
        of items: [Item],
        _ body: ([Item]) throws -> [PlayOutcome.Result]
    ) throws -> [PlayOutcome.Result] {
        var results: [PlayOutcome.Result] = []
        for start in stride(from: 0, to: items.count, by: chunk) {
            results += try body(Array(items[start..<min(start + chunk, items.count)]))
        }
        return results
    }
}

extension Date {
    /// The instant in milliseconds since 1970, bounded to the range that the log can store.
    fileprivate var milliseconds: Int { Int(PlaylogTime.bounded(self)) }
}
