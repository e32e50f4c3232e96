package import EarshotBroadcast
package import EarshotCore
package import EarshotMusic

// Each function reads with one statement, which sees the log as it was at one instant.
extension PostgreSQLPlaylogStore {
    // MARK: - Plays, gaps and intervals

    /// Returns a play; `nil` if there is none of this identifier.
    package func record(_ id: EntityID<PlayRecord>) async throws(EarshotError) -> PlayRecord? {
        guard Self.isKeepable(id.rawValue) else { return nil }
        return try await pool.read { connection in
            try connection.row("SELECT json FROM play_record WHERE id = $1", id.rawValue).map { row in
                try PlaylogRow.value(PlayRecord.self, try row.required("json", row.text))
            }
        }
    }

    /// Returns a page of plays, in the order of start and identifier.
    package func records(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<PlayRecord> {
        let json = try await rows("play_record", PostgreSQLPlaylogCondition(plays: query), query, cursor, limit)
        return try PlayPage(json: json, size: Self.pageSize(limit), after: cursor, PlayCursor.init)
    }

    /// Returns a page of gaps, in the order of start and identifier.
    package func gaps(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<StreamGap> {
        let json = try await rows("play_gap", PostgreSQLPlaylogCondition(gaps: query), query, cursor, limit)
        return try PlayPage(json: json, size: Self.pageSize(limit), after: cursor, PlayCursor.init)
    }

    /// Returns the rows of a page and one more, which shows that there is a next page.
    private func rows(
        _ table: String,
        _ condition: PostgreSQLPlaylogCondition,
        _ query: PlayQuery,
        _ cursor: PlayCursor?,
        _ limit: Int
    ) async throws(EarshotError) -> [String] {
        var condition = condition
        condition.add(after: cursor, query)
        let count = condition.bind(Self.pageSize(limit) + 1)
        let sql = """
            SELECT json FROM \(table) WHERE \(condition.sql)
            ORDER BY \(PostgreSQLPlaylogCondition.order(query)) LIMIT \(count)
            """
        return try await pool.read { [parameters = condition.parameters] connection in
            try connection.run(sql, parameters).rows.map { row in try row.required("json", row.text) }
        }
    }

    /// Returns the intervals in which channels were monitored.
    package func heard(_ query: PlayQuery) async throws(EarshotError) -> [DetectedInterval] {
        let condition = PostgreSQLPlaylogCondition(gaps: query)
        return try await pool.read { connection in
            let sql = "SELECT json FROM play_heard WHERE \(condition.sql) ORDER BY channel, start"
            return try connection.run(sql, condition.parameters).rows.map { row in
                try PlaylogRow.value(DetectedInterval.self, try row.required("json", row.text))
            }
        }
    }

    // MARK: - Figures

    /// Plays added up.
    package func totals(_ query: PlayQuery, by grouping: PlayGrouping) async throws(EarshotError) -> [PlayTotal] {
        var condition = PostgreSQLPlaylogCondition(plays: query)
        let span = PlaylogFilter(plays: query).span ?? (PlaylogTime.range.lowerBound, PlaylogTime.range.upperBound)
        let (lower, upper) = (condition.bind(Int(span.lower)), condition.bind(Int(span.upper)))
        let column = grouping.rawValue
        let sql = """
            SELECT \(column) AS key, count(*) FILTER (WHERE start >= \(lower) AND start < \(upper)) AS plays,
                coalesce(sum(
                    played * greatest(0, least(ended, \(upper)) - greatest(start, \(lower))) / nullif(ended - start, 0)
                ), 0) AS seconds,
                count(DISTINCT channel) AS channels, min(start) AS first, max(start) AS last
            FROM play_record WHERE \(condition.sql) GROUP BY \(column) ORDER BY plays DESC, key
            """
        return try await pool.read { [parameters = condition.parameters] connection in
            try connection.run(sql, parameters).rows.map { row in
                PlayTotal(
                    key: try row.required("key", row.text),
                    plays: try row.required("plays", row.integer),
                    seconds: try row.required("seconds", row.double),
                    channels: try row.required("channels", row.integer),
                    first: PlaylogTime.date(Int64(try row.required("first", row.integer))),
                    last: PlaylogTime.date(Int64(try row.required("last", row.integer)))
                )
            }
        }
    }

    /// Returns the numbers of plays, gaps and changes. Those who wait for changes ask often, so plays and gaps are not counted for it.
    package func counts() async throws(EarshotError) -> PlaylogCounts {
        try await pool.read { connection in
            var counts = PlaylogCounts()
            let row = try connection.row(
                """
                SELECT plays, gaps, last_sequence, last_sequence - trimmed AS changes,
                    (SELECT count(*) FROM play_record WHERE is_open) AS open
                FROM play_log
                """
            )
            guard let row else { return counts }
            counts.plays = try row.required("plays", row.integer)
            counts.open = try row.required("open", row.integer)
            counts.gaps = try row.required("gaps", row.integer)
            counts.changes = try row.required("changes", row.integer)
            counts.lastSequence = try row.required("last_sequence", row.integer)
            return counts
        }
    }

    // MARK: - Changes

    /// Returns the changes behind a number.
    package func changes(after sequence: Int, limit: Int) async throws(EarshotError) -> PlayChangePage {
        let (sequence, size) = (max(0, sequence), Self.pageSize(limit))
        return try await pool.read { connection in
            // One statement: changes that are removed between two would be missing without notice.
            let rows = try connection.rows(
                """
                SELECT log.trimmed, change.* FROM play_log AS log LEFT JOIN (
                    SELECT sequence, event, is_gap, json FROM play_change WHERE sequence > $1 ORDER BY sequence LIMIT $2
                ) AS change ON true ORDER BY change.sequence
                """,
                sequence,
                size + 1
            )
            let changes = try rows.compactMap { row -> PlayChange? in
                guard let number = try row.integer("sequence") else { return nil }
                return try PlaylogRow.change(
                    number,
                    try row.required("event", row.text),
                    isGap: try row.required("is_gap", row.bool),
                    try row.required("json", row.text)
                )
            }
            let trimmed = try rows.first?.integer("trimmed") ?? 0
            return PlayChangePage(
                changes: Array(changes.prefix(size)),
                hasMore: changes.count > size,
                isIncomplete: sequence < trimmed
            )
        }
    }
}
