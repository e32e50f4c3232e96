package import EarshotCore
package import EarshotNodes
import Foundation

/// The last hours of channels in a PostgreSQL database. Time is the server's.
package final class PostgreSQLLiveChannelStore: LiveChannelStore {
    /// The notification channel for new chunks.
    package static let notifications = "earshot_live"
    /// The most chunks that a transaction removes.
    private static let removalSize = 5_000

    private let pool: PostgreSQLPool

    /// Opens the store, and creates or migrates its tables.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of a newer version.
    package init(_ pool: PostgreSQLPool) async throws(EarshotError) {
        self.pool = pool
        try await Self.migrations.run(in: pool)
    }

    /// Creates a store over tables that exist.
    init(opened pool: PostgreSQLPool) { self.pool = pool }

    private static let migrations = PostgreSQLMigrations(
        "live",
        [
            { connection in
                try connection.execute(
                    """
                    CREATE TABLE live_log (log text COLLATE "C" NOT NULL, last_number bigint NOT NULL);
                    INSERT INTO live_log VALUES (gen_random_uuid()::text, 0);
                    CREATE TABLE live_channel (
                        channel text COLLATE "C" PRIMARY KEY,
                        ended bigint NOT NULL -- in milliseconds since 1970, as all times here
                    );
                    CREATE INDEX live_channel_ended ON live_channel (ended);
                    CREATE TABLE live_chunk (
                        number bigint PRIMARY KEY,
                        channel text COLLATE "C" NOT NULL,
                        start bigint NOT NULL,
                        ended bigint NOT NULL,
                        signature bytea NOT NULL
                    );
                    CREATE INDEX live_chunk_ended ON live_chunk (ended);
                    """
                )
            }
        ]
    )

    package func append(
        _ chunks: [LiveChannelChunk],
        to channel: String,
        channelLimit: Int
    ) async throws(EarshotError) -> [Bool] {
        guard !chunks.isEmpty else { return [] }
        // Not durable: a crash of the server loses a second of the channel, which goes on.
        return try await pool.write(isDurable: false) { connection in
            // Locks the log: one transaction at a time gives numbers, so that chunks become visible in their order.
            let log = try connection.row("SELECT last_number FROM live_log FOR UPDATE")
            guard var number = try log?.integer("last_number") else {
                throw EarshotError(
                    .storeDamaged,
                    "The PostgreSQL database has lost its counter of live channels: restore it from a backup."
                )
            }
            let row = try connection.row("SELECT ended FROM live_channel WHERE channel = $1", channel)
            if row == nil {
                let count = try connection.row("SELECT count(*) AS count FROM live_channel")?.integer("count")
                guard (count ?? 0) < channelLimit else { throw Self.full(channelLimit) }
            }
            var end = Int64(try row?.integer("ended") ?? 0)
            let kept = Self.kept(chunks, behind: &end)
            guard kept.contains(true) else { return kept }
            for (chunk, isKept) in zip(chunks, kept) where isKept {
                number += 1
                try connection.change(
                    "INSERT INTO live_chunk (number, channel, start, ended, signature) VALUES ($1, $2, $3, $4, $5)",
                    number,
                    channel,
                    Int(chunk.start),
                    Int(chunk.end),
                    chunk.signature
                )
            }
            try connection.change(
                """
                INSERT INTO live_channel (channel, ended) VALUES ($1, $2)
                ON CONFLICT (channel) DO UPDATE SET ended = excluded.ended
                """,
                channel,
                Int(end)
            )
            try connection.change("UPDATE live_log SET last_number = $1", number)
            try connection.notify(Self.notifications, "")
            return kept
        }
    }

    package func chunks(after number: Int, limit: Int) async throws(EarshotError) -> LiveChannelPage {
        try await pool.read { connection in
            // One statement, which sees the log at one moment.
            let rows = try connection.rows(
                """
                SELECT log, last_number, number, channel, start, ended, signature FROM live_log LEFT JOIN (
                    SELECT * FROM live_chunk WHERE number > $1 ORDER BY number LIMIT $2
                ) AS chunk ON true ORDER BY number
                """,
                number,
                max(0, limit)
            )
            guard let first = rows.first else {
                throw EarshotError(
                    .storeDamaged,
                    "The PostgreSQL database has lost its counter of live channels: restore it from a backup."
                )
            }
            let entries = try rows.compactMap { row -> LiveChannelPage.Entry? in
                guard let number = try row.integer("number") else { return nil }
                return LiveChannelPage.Entry(
                    number: number,
                    channel: try row.required("channel", row.text),
                    chunk: LiveChannelChunk(
                        start: Int64(try row.required("start", row.integer)),
                        end: Int64(try row.required("ended", row.integer)),
                        signature: try row.required("signature", row.bytes)
                    )
                )
            }
            return LiveChannelPage(
                log: try first.required("log", first.text),
                last: try first.required("last_number", first.integer),
                entries: entries
            )
        }
    }

    @discardableResult
    package func remove(olderThan seconds: Double) async throws(EarshotError) -> Int {
        // As a subquery it is computed once, and the index can be used.
        let oldest = "(SELECT (extract(epoch FROM clock_timestamp() - make_interval(secs => $1)) * 1000)::bigint)"
        var sum = 0
        while true {
            let count = try await pool.write(isDurable: false) { connection in
                let count = try connection.change(
                    """
                    DELETE FROM live_chunk WHERE number IN (
                        SELECT number FROM live_chunk WHERE ended < \(oldest) ORDER BY ended LIMIT $2)
                    """,
                    seconds,
                    Self.removalSize
                )
                try connection.change("DELETE FROM live_channel WHERE ended < \(oldest)", seconds)
                return count
            }
            sum += count
            if count < Self.removalSize { return sum }
        }
    }
}
