package import EarshotBroadcast
package import EarshotCore
package import Foundation

/// A program guide in a PostgreSQL database, which several nodes use at the same time: one may import while others read.
package final class PostgreSQLGuideStore: GuideStore {
    let pool: PostgreSQLPool
    /// The most airings that one statement reads.
    let pageSize: Int
    /// The most airings that one transaction removes, so that imports do not wait long.
    private let purgeSize: Int

    /// Opens the store, and creates or migrates its tables.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of a newer version.
    package convenience init(_ pool: PostgreSQLPool) async throws(EarshotError) {
        try await Self.migrations.run(in: pool)
        self.init(opened: pool)
    }

    /// Creates a store over tables that exist.
    init(opened pool: PostgreSQLPool, pageSize: Int = 1_000, purgeSize: Int = 5_000) {
        (self.pool, self.pageSize, self.purgeSize) = (pool, pageSize, purgeSize)
    }

    /// Makes changes, in order, all of them or none.
    package func apply(_ changes: [GuideChange]) async throws(EarshotError) {
        guard !changes.isEmpty else { return }
        let names = GuideBatch.Names(changes)
        try await pool.write { connection in
            let writer = try GuideBatchWriter(connection)
            var batch = GuideBatch(present: try writer.present(names))
            for change in changes { try batch.apply(change) }
            try writer.write(batch)
        }
    }

    /// Removes what ended before an instant, or at it. Interrupted, some of it is removed.
    package func removeAirings(endedBy date: Date, withPrograms: Bool) async throws(EarshotError) -> Int {
        let (instant, size) = (Int(GuideSlot.clamped(date)), purgeSize)
        var count = 0
        while true {
            let removed = try await pool.write { connection in
                try GuideBatchWriter(connection).removeAirings(
                    endedBy: instant,
                    withPrograms: withPrograms,
                    limit: size
                )
            }
            count += removed
            if removed < size { return count }
        }
    }

    /// Returns the numbers of works, programs, channels and airings.
    package func counts() async throws(EarshotError) -> GuideCounts {
        try await pool.read { connection in
            let row = try connection.row(
                """
                SELECT (SELECT count(*) FROM guide_work) AS works, (SELECT count(*) FROM guide_program) AS programs,
                    (SELECT count(*) FROM guide_channel) AS channels, (SELECT count(*) FROM guide_airing) AS airings
                """
            )
            var counts = GuideCounts()
            guard let row else { return counts }
            counts.works = try row.required("works", row.integer)
            counts.programs = try row.required("programs", row.integer)
            counts.channels = try row.required("channels", row.integer)
            counts.airings = try row.required("airings", row.integer)
            return counts
        }
    }
}
