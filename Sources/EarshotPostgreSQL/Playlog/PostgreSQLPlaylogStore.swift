import EarshotBroadcast
package import EarshotCore

/// A log of plays in a PostgreSQL database, to which several monitors write while others read.
///
/// Changes are numbered without gaps, in the order in which they become visible. PostgreSQL's text has no U+0000: a record with one
/// in a name that has a column is refused, and the other records of the call are kept. Other texts may have it.
package final class PostgreSQLPlaylogStore: PlaylogStore {
    let pool: PostgreSQLPool

    /// Opens the store, and creates or migrates its tables.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of a newer version.
    package init(_ pool: PostgreSQLPool) async throws(EarshotError) {
        self.pool = pool
        try await Self.migrations.run(in: pool)
    }

    /// Creates a store over tables that exist.
    init(opened pool: PostgreSQLPool) { self.pool = pool }

    /// The tables. Times are milliseconds since 1970, as in the JSON, which contains the whole play. Columns are for searching.
    static let migrations = PostgreSQLMigrations(
        "playlog",
        [
            { connection in
                try connection.execute(
                    """
                    CREATE TABLE play_log (
                        id bigint PRIMARY KEY CHECK (id = 1),
                        last_sequence bigint NOT NULL DEFAULT 0, -- of the last change ever
                        trimmed bigint NOT NULL DEFAULT 0, -- of the last change that was removed
                        longest bigint NOT NULL DEFAULT 0, -- of all plays ever, in milliseconds
                        plays bigint NOT NULL DEFAULT 0,
                        gaps bigint NOT NULL DEFAULT 0
                    );
                    INSERT INTO play_log (id) VALUES (1);
                    CREATE TABLE play_record (
                        id text COLLATE "C" PRIMARY KEY,
                        channel text COLLATE "C" NOT NULL,
                        start bigint NOT NULL,
                        ended bigint NOT NULL,
                        played double precision NOT NULL, -- seconds
                        reference text COLLATE "C" NOT NULL, -- empty for none
                        kind text COLLATE "C" NOT NULL,
                        is_open boolean NOT NULL,
                        json text NOT NULL
                    );
                    CREATE INDEX play_record_start ON play_record (start, id);
                    CREATE INDEX play_record_channel ON play_record (channel, start, id);
                    CREATE INDEX play_record_reference ON play_record (reference, start, id);
                    CREATE INDEX play_record_open ON play_record (start, id) WHERE is_open;
                    CREATE TABLE play_gap (
                        id text COLLATE "C" PRIMARY KEY,
                        channel text COLLATE "C" NOT NULL,
                        start bigint NOT NULL,
                        ended bigint NOT NULL, -- later than every date while it lasts
                        json text NOT NULL
                    );
                    CREATE INDEX play_gap_start ON play_gap (start, id);
                    CREATE INDEX play_gap_channel ON play_gap (channel, start, id);
                    CREATE TABLE play_change (
                        sequence bigint PRIMARY KEY,
                        ended bigint NOT NULL,
                        event text NOT NULL,
                        is_gap boolean NOT NULL,
                        json text NOT NULL
                    );
                    CREATE TABLE play_consumer (name text COLLATE "C" PRIMARY KEY, position bigint NOT NULL);
                    CREATE TABLE play_heard (
                        channel text COLLATE "C" NOT NULL,
                        start bigint NOT NULL,
                        ended bigint NOT NULL,
                        json text NOT NULL,
                        PRIMARY KEY (channel, start)
                    );
                    """
                )
            }
        ]
    )

    /// Returns `true` if PostgreSQL can store a text: it has no U+0000.
    static func isKeepable(_ text: String) -> Bool { !text.utf8.contains(0) }

    // MARK: - Consumers

    /// Returns the last number that a consumer has read; `nil` if the consumer is not known.
    package func position(of consumer: String) async throws(EarshotError) -> Int? {
        guard Self.isKeepable(consumer) else { return nil }
        return try await pool.read { connection in
            try connection.row("SELECT position FROM play_consumer WHERE name = $1", consumer)?.integer("position")
        }
    }

    /// Keeps the last number that a consumer has read.
    package func setPosition(_ sequence: Int, of consumer: String) async throws(EarshotError) {
        try checkConsumer(consumer)
        guard Self.isKeepable(consumer) else {
            throw EarshotError(.metadataInvalid, "The name of a consumer has a character U+0000: leave it out.")
        }
        _ = try await pool.write { connection in
            try connection.change(
                """
                INSERT INTO play_consumer (name, position)
                SELECT $1, least(greatest($2, 0), last_sequence) FROM play_log
                ON CONFLICT (name) DO UPDATE SET position = excluded.position
                """,
                consumer,
                sequence
            )
        }
    }

    /// Forgets a consumer.
    @discardableResult
    package func removeConsumer(_ consumer: String) async throws(EarshotError) -> Bool {
        guard Self.isKeepable(consumer) else { return false }
        return try await pool.write { connection in
            try connection.change("DELETE FROM play_consumer WHERE name = $1", consumer) > 0
        }
    }

    /// Returns all consumers, and the last number that each has read.
    package func consumers() async throws(EarshotError) -> [String: Int] {
        try await pool.read { connection in
            try connection.rows("SELECT name, position FROM play_consumer").reduce(into: [:]) { consumers, row in
                let name = try row.required("name", row.text)
                consumers[name] = try row.required("position", row.integer)
            }
        }
    }
}
