package import EarshotBroadcast
package import EarshotCore
package import EarshotMusic
package import Foundation
import GRDB

extension SQLitePlaylogStore {
    // MARK: - Writing

    /// Writes plays, each in the place of the one with its identifier.
    @discardableResult
    package func put(_ records: [PlayRecord]) async throws(EarshotError) -> [PlayOutcome] {
        try await write { database in
            let writer = PlaylogRowWriter(database: database)
            return try records.map { record in
                let check = record.checked()
                guard let checked = check.record else {
                    return PlayOutcome(id: record.id.rawValue, result: .refused(check.refusal ?? ""))
                }
                return PlayOutcome(id: record.id.rawValue, result: try writer.put(checked), notices: check.notices)
            }
        }
    }

    /// Writes gaps, each in the place of the one with its identifier.
    @discardableResult
    package func put(_ gaps: [StreamGap]) async throws(EarshotError) -> [PlayOutcome] {
        try await write { database in
            let writer = PlaylogRowWriter(database: database)
            return try gaps.map { gap in
                let result = try gap.checked().map(writer.put) ?? .refused(StreamGap.fault)
                return PlayOutcome(id: gap.id.rawValue, result: result)
            }
        }
    }

    /// Takes back provisional plays.
    @discardableResult
    package func withdraw(_ identifiers: [EntityID<PlayRecord>]) async throws(EarshotError) -> [PlayOutcome] {
        try await write { database in
            let writer = PlaylogRowWriter(database: database)
            return try identifiers.map { PlayOutcome(id: $0.rawValue, result: try writer.withdraw($0)) }
        }
    }

    /// Makes the provisional plays of a channel final.
    @discardableResult
    package func closeOpen(
        of channel: EntityID<BroadcastChannel>?,
        at instant: Date?,
        reason: PlayEndReason
    ) async throws(EarshotError) -> [PlayRecord] {
        let query = PlayQuery(channels: channel.map { [$0] } ?? [], state: .provisional)
        return try await write { database in
            let condition = try PlaylogCondition(plays: query, database)
            let sql = "SELECT json FROM play WHERE \(condition.sql) ORDER BY \(PlaylogCondition.order(query))"
            let open = try String.fetchAll(database, sql: sql, arguments: condition.arguments)
            let writer = PlaylogRowWriter(database: database)
            return try open.compactMap { json in
                let closed = try PlaylogRowWriter.record(json).closed(at: instant, reason: reason)
                guard let record = closed.checked().record else { return nil }
                _ = try writer.put(record)
                return record
            }
        }
    }

    /// Removes the final plays and the gaps that ended before a date, and the changes that speak of such.
    package func remove(before date: Date) async throws(EarshotError) -> PlaylogRemoval {
        let date = PlaylogTime.bounded(date)
        return try await write { database in
            var removal = PlaylogRemoval()
            // The condition on `start` follows from the one on `ended`, but has an index.
            let old = "start < ? AND ended < ?"
            try database.execute(sql: "DELETE FROM play WHERE open = 0 AND \(old)", arguments: [date, date])
            removal.plays = database.changesCount
            try database.execute(sql: "DELETE FROM gap WHERE \(old)", arguments: [date, date])
            removal.gaps = database.changesCount
            try database.execute(sql: "DELETE FROM heard WHERE \(old)", arguments: [date, date])
            // Removed from the first one on, so that only the beginning of the log is missing.
            let kept = try Int.fetchOne(
                database,
                sql: """
                    SELECT min(
                        coalesce(
                            (SELECT sequence FROM change WHERE ended >= ? ORDER BY sequence LIMIT 1), 9223372036854775807
                        ),
                        coalesce((SELECT min(position) + 1 FROM consumer), 9223372036854775807)
                    )
                    """,
                arguments: [date]
            )
            let first = min(kept ?? 0, try PlaylogRowWriter.lastSequence(database) + 1)
            try database.execute(sql: "DELETE FROM change WHERE sequence < ?", arguments: [first])
            removal.changes = database.changesCount
            try database.execute(
                sql: "UPDATE figure SET value = ? WHERE name = 'trimmed' AND value < ?",
                arguments: [first - 1, first - 1]
            )
            return removal
        }
    }

    // MARK: - Reading

    /// Returns a play; `nil` if there is none of this identifier.
    package func record(_ id: EntityID<PlayRecord>) async throws(EarshotError) -> PlayRecord? {
        try await read { database in
            try String.fetchOne(database, sql: "SELECT json FROM play WHERE id = ?", arguments: [id.rawValue])
                .map(PlaylogRowWriter.record)
        }
    }

    /// Returns a page of plays, in the order of start and identifier.
    package func records(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<PlayRecord> {
        try await read { database in
            var condition = try PlaylogCondition(plays: query, database)
            condition.add(after: cursor, query)
            let json = try Self.rows("play", condition, query, limit, database)
            return try PlayPage(json: json, size: Self.pageSize(limit), after: cursor, PlayCursor.init)
        }
    }

    /// Returns a page of gaps, in the order of start and identifier.
    package func gaps(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<StreamGap> {
        try await read { database in
            var condition = PlaylogCondition(gaps: query)
            condition.add(after: cursor, query)
            let json = try Self.rows("gap", condition, query, limit, database)
            return try PlayPage(json: json, size: Self.pageSize(limit), after: cursor, PlayCursor.init)
        }
    }

    /// Returns the rows of a page and one more, which shows that there is a next page.
    private static func rows(
        _ table: String,
        _ condition: PlaylogCondition,
        _ query: PlayQuery,
        _ limit: Int,
        _ database: Database
    ) throws -> [String] {
        let sql = """
            SELECT json FROM \(table) WHERE \(condition.sql)
            ORDER BY \(PlaylogCondition.order(query)) LIMIT \(pageSize(limit) + 1)
            """
        return try String.fetchAll(database, sql: sql, arguments: condition.arguments)
    }

    // MARK: - Figures

    /// Plays added up.
    package func totals(_ query: PlayQuery, by grouping: PlayGrouping) async throws(EarshotError) -> [PlayTotal] {
        let column = grouping.rawValue
        let bounds = PlaylogFilter(plays: query).span ?? (PlaylogTime.range.lowerBound, PlaylogTime.range.upperBound)
        return try await read { database in
            let condition = try PlaylogCondition(plays: query, database)
            let (lower, upper) = bounds
            let sql = """
                SELECT \(column) AS key, sum(start >= \(lower) AND start < \(upper)) AS plays,
                    total(CASE WHEN ended > start THEN played * max(0, min(ended, \(upper)) - max(start, \(lower)))
                        / CAST(ended - start AS REAL) ELSE 0 END) AS seconds,
                    count(DISTINCT channel) AS channels, min(start) AS first, max(start) AS last
                FROM play WHERE \(condition.sql) GROUP BY \(column) ORDER BY plays DESC, key
                """
            return try Row.fetchAll(database, sql: sql, arguments: condition.arguments).map { row in
                PlayTotal(
                    key: row["key"],
                    plays: row["plays"],
                    seconds: row["seconds"],
                    channels: row["channels"],
                    first: PlaylogTime.date(row["first"]),
                    last: PlaylogTime.date(row["last"])
                )
            }
        }
    }

    /// Returns the numbers of what the log holds.
    package func counts() async throws(EarshotError) -> PlaylogCounts {
        try await read { database in
            func count(_ rows: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rows)") ?? 0
            }
            var counts = PlaylogCounts()
            counts.plays = try count("play")
            counts.open = try count("play WHERE open = 1")
            counts.gaps = try count("gap")
            counts.changes = try count("change")
            counts.lastSequence = try PlaylogRowWriter.lastSequence(database)
            return counts
        }
    }

    // MARK: - Changes

    /// Returns the changes behind a number.
    package func changes(after sequence: Int, limit: Int) async throws(EarshotError) -> PlayChangePage {
        let (sequence, limit) = (max(0, sequence), Self.pageSize(limit))
        return try await read { database in
            let sql = "SELECT * FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?"
            let rows = try Row.fetchAll(database, sql: sql, arguments: [sequence, limit + 1])
            return PlayChangePage(
                changes: try rows.prefix(limit).map(PlaylogRowWriter.change),
                hasMore: rows.count > limit,
                isIncomplete: sequence < (try PlaylogRowWriter.figure("trimmed", database))
            )
        }
    }
}
