package import EarshotBroadcast
package import EarshotCore
package import Foundation

extension PostgreSQLPlaylogStore {
    /// The most rows that a transaction removes. Monitors that write wait until it ends.
    private static let removalSize = 5_000

    /// Removes the final plays, the gaps and the intervals that ended before a date, and the changes that tell of such.
    ///
    /// This takes several transactions, between which monitors write. If it throws, a part may be removed; repeat it to remove the rest.
    package func remove(before date: Date) async throws(EarshotError) -> PlaylogRemoval {
        let date = Int(PlaylogTime.bounded(date))
        var removal = PlaylogRemoval()
        // The condition on `start` follows from the one on `ended`, but has an index.
        let old = "start < $1 AND ended < $1"
        removal.plays = try await removing { connection in
            let count = try connection.change(
                """
                DELETE FROM play_record WHERE id IN (
                    SELECT id FROM play_record WHERE NOT is_open AND \(old) ORDER BY start, id LIMIT $2)
                """,
                date,
                Self.removalSize
            )
            try connection.change("UPDATE play_log SET plays = plays - $1", count)
            return count
        }
        removal.gaps = try await removing { connection in
            let count = try connection.change(
                """
                DELETE FROM play_gap WHERE id IN (
                    SELECT id FROM play_gap WHERE \(old) ORDER BY start, id LIMIT $2)
                """,
                date,
                Self.removalSize
            )
            try connection.change("UPDATE play_log SET gaps = gaps - $1", count)
            return count
        }
        _ = try await removing { connection in
            // Intervals are written without the lock of the log, so rows are locked in the same order as there.
            try connection.change(
                """
                DELETE FROM play_heard WHERE (channel, start) IN (
                    SELECT channel, start FROM play_heard WHERE \(old) ORDER BY channel, start LIMIT $2 FOR UPDATE)
                """,
                date,
                Self.removalSize
            )
        }
        removal.changes = try await removing { connection in try Self.removeChanges(before: date, connection) }
        return removal
    }

    /// Removes changes from the first one on, so that only the beginning of the log is missing.
    private static func removeChanges(before date: Int, _ connection: PostgreSQLConnection) throws -> Int {
        // Sequence numbers have no gaps, so the range of changes that this step may remove can be computed.
        let row = try connection.row(
            """
            SELECT least(
                trimmed + $2,
                last_sequence,
                (SELECT min(sequence) - 1 FROM play_change WHERE sequence <= trimmed + $2 AND ended >= $1),
                (SELECT min(position) FROM play_consumer)
            ) AS last, trimmed FROM play_log
            """,
            date,
            removalSize
        )
        guard let row, let last = try row.integer("last"), let trimmed = try row.integer("trimmed"), last > trimmed
        else { return 0 }
        try connection.change("UPDATE play_log SET trimmed = $1", last)
        return try connection.change("DELETE FROM play_change WHERE sequence <= $1", last)
    }

    /// Removes rows with the log locked, some in each transaction, until there are no more.
    private func removing(
        _ step: @escaping @Sendable (PostgreSQLConnection) throws -> Int
    ) async throws(EarshotError) -> Int {
        var sum = 0
        while true {
            let count = try await pool.write { connection in
                try PostgreSQLPlaylogWriter.lock(connection)
                return try step(connection)
            }
            sum += count
            if count < Self.removalSize { return sum }
        }
    }
}
