package import EarshotBroadcast
package import EarshotCore
package import Foundation

extension PostgreSQLPlaylogStore {
    /// The most rows that a transaction removes: monitors that write wait for its end.
    private static let removalSize = 5_000

    /// Removes the final plays, the gaps and the intervals that ended before a date, and the changes that tell of such.
    ///
    /// This takes several transactions, between which monitors write. If it throws, a part may be removed; repeat it to remove the rest.
    package func remove(before date: Date) async throws(EarshotError) -> PlaylogRemoval {
        let date = Int(PlaylogTime.bounded(date))
        var removal = PlaylogRemoval()
        // What ended before the date began before it too: that has an index.
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
            // Intervals are noted without the lock of the log, in this order of rows.
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

    /// Removes changes from the first on, so that a reader is told of a hole only at the beginning.
    private static func removeChanges(before date: Int, _ connection: PostgreSQLConnection) throws -> Int {
        // The sequences have no gaps: only those that may be removed now are looked at.
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
