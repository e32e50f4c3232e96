package import EarshotBroadcast
package import EarshotCore
package import EarshotMusic
package import Foundation

extension PostgreSQLPlaylogStore {
    // MARK: - Plays and gaps

    /// Writes plays, each in the place of the one with its identifier.
    @discardableResult
    package func put(_ records: [PlayRecord]) async throws(EarshotError) -> [PlayOutcome] {
        let checks = records.map { record in
            let check = record.checked()
            return Self.refused(check, Self.names(record))
        }
        let kept = checks.compactMap(\.record)
        var written = try await write(kept.isEmpty) { writer in try writer.put(kept) }[...]
        return zip(records, checks).map { record, check in
            let result = check.record.flatMap { _ in written.popFirst() } ?? .refused(check.refusal ?? "")
            return PlayOutcome(id: record.id.rawValue, result: result, notices: check.notices)
        }
    }

    /// Writes gaps, each in the place of the one with its identifier.
    @discardableResult
    package func put(_ gaps: [StreamGap]) async throws(EarshotError) -> [PlayOutcome] {
        let checks = gaps.map { gap -> (gap: StreamGap?, refusal: String) in
            guard let checked = gap.checked() else { return (nil, StreamGap.fault) }
            let isKeepable = [gap.id.rawValue, gap.channel.id.rawValue].allSatisfy(Self.isKeepable)
            return (isKeepable ? checked : nil, Self.fault)
        }
        let kept = checks.compactMap(\.gap)
        var written = try await write(kept.isEmpty) { writer in try writer.put(kept) }[...]
        return zip(gaps, checks).map { gap, check in
            let result = check.gap.flatMap { _ in written.popFirst() } ?? .refused(check.refusal)
            return PlayOutcome(id: gap.id.rawValue, result: result)
        }
    }

    /// Takes back provisional plays.
    @discardableResult
    package func withdraw(_ identifiers: [EntityID<PlayRecord>]) async throws(EarshotError) -> [PlayOutcome] {
        let results = try await write(identifiers.isEmpty) { writer in try writer.withdraw(identifiers) }
        return zip(identifiers, results).map { PlayOutcome(id: $0.rawValue, result: $1) }
    }

    /// Makes the provisional plays of a channel final.
    @discardableResult
    package func closeOpen(
        of channel: EntityID<BroadcastChannel>?,
        at instant: Date?,
        reason: PlayEndReason
    ) async throws(EarshotError) -> [PlayRecord] {
        let query = PlayQuery(channels: channel.map { [$0] } ?? [], state: .provisional)
        let condition = PostgreSQLPlaylogCondition(plays: query)
        let sql = """
            SELECT json FROM play_record WHERE \(condition.sql) ORDER BY \(PostgreSQLPlaylogCondition.order(query))
            """
        return try await pool.write { connection in
            var writer = try PostgreSQLPlaylogWriter(connection)
            let closed = try connection.run(sql, condition.parameters).rows.compactMap { row in
                try PlaylogRow.value(PlayRecord.self, try row.required("json", row.text))
                    .closed(at: instant, reason: reason).checked().record
            }
            _ = try writer.put(closed)
            return closed
        }
    }

    /// Runs a write with the log locked; does nothing if `isNothing` is `true`.
    private func write(
        _ isNothing: Bool,
        _ body: @escaping @Sendable (inout PostgreSQLPlaylogWriter) throws -> [PlayOutcome.Result]
    ) async throws(EarshotError) -> [PlayOutcome.Result] {
        guard !isNothing else { return [] }
        return try await pool.write { connection in
            var writer = try PostgreSQLPlaylogWriter(connection)
            return try body(&writer)
        }
    }

    private static let fault = "An identifier has a character U+0000, which PostgreSQL cannot keep: leave it out."

    /// Returns the texts of a play that have columns, which PostgreSQL must be able to store.
    private static func names(_ record: PlayRecord) -> [String] {
        [record.id.rawValue, record.channel.id.rawValue, record.referenceID?.rawValue ?? "", record.kind.rawValue]
    }

    private static func refused(_ check: PlayCheck, _ names: [String]) -> PlayCheck {
        var check = check
        if check.record != nil, !names.allSatisfy(isKeepable) { (check.record, check.refusal) = (nil, fault) }
        return check
    }

    // MARK: - Intervals

    /// Notes when channels were listened to.
    package func note(_ heard: [DetectedInterval]) async throws(EarshotError) {
        struct Key: Hashable {
            let channel: EntityID<BroadcastChannel>
            let start: Date
        }
        // The last one of each key, because a statement may not write a row twice.
        var last: [Key: DetectedInterval] = [:]
        for interval in heard.compactMap({ $0.checked() }) where Self.isKeepable(interval.channel.id.rawValue) {
            last[Key(channel: interval.channel.id, start: interval.start)] = interval
        }
        guard !last.isEmpty else { return }
        // In a fixed order: otherwise two monitors that write the same channels could deadlock.
        let sorted = last.values.sorted { ($0.channel.id, $0.start) < ($1.channel.id, $1.start) }
        _ = try await pool.write { connection in
            try connection.change(
                """
                INSERT INTO play_heard (channel, start, ended, json) SELECT * FROM unnest($1, $2, $3, $4)
                ON CONFLICT (channel, start) DO UPDATE SET ended = excluded.ended, json = excluded.json
                """,
                PostgreSQLValue.texts(sorted.map(\.channel.id.rawValue)),
                PostgreSQLValue.integers(sorted.map { Int(PlaylogTime.bounded($0.start)) }),
                PostgreSQLValue.integers(sorted.map { Int(PlaylogTime.bounded($0.end)) }),
                PostgreSQLValue.texts(try sorted.map { interval in try PlaylogRow.json(interval) })
            )
        }
    }
}
