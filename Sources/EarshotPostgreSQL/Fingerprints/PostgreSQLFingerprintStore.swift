package import EarshotCore
package import EarshotFingerprints
package import Foundation

/// Fingerprints and their tracks in a PostgreSQL database, which several nodes use at the same time.
///
/// All changes of tracks and fingerprints follow each other: each holds the row of `fingerprint_store` until it is kept. So numbers of
/// fingerprints become visible in ascending order, which a sequence would not promise, and no two merges wait for each other.
package final class PostgreSQLFingerprintStore: FingerprintTrackStore {
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

    /// Returns the id that tells this store from others.
    package func id() async throws(EarshotError) -> UUID {
        try await pool.read { connection in
            let row = try connection.row("SELECT id FROM fingerprint_store")
            return try FingerprintRecord.id(try row?.text("id") ?? "")
        }
    }

    /// Gives the store another id, as after it was put back from a backup: numbers that were given since are given again, and every
    /// index makes itself again.
    package func renewID() async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change("UPDATE fingerprint_store SET id = $1", UUID().text)
        }
    }

    // MARK: - Tables

    /// The tables. Times are seconds since 1970; ids of tracks and recordings are UUIDs in lower case. Values that clients choose are JSON or bytes,
    /// because `text` refuses U+0000. Keys are digests if a value may exceed the 2,704 bytes of an entry of an index.
    static let migrations = PostgreSQLMigrations(
        "fingerprints",
        [
            { connection in
                try connection.execute(
                    """
                    -- One row: what tells the store from others, and the number that was given last.
                    CREATE TABLE fingerprint_store (
                        single boolean PRIMARY KEY DEFAULT true CHECK (single),
                        id text COLLATE "C" NOT NULL,
                        last_number bigint NOT NULL DEFAULT 0
                    );
                    CREATE TABLE fingerprint_track (
                        pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                        id text COLLATE "C" NOT NULL UNIQUE,
                        -- What it was merged into, never something that is merged itself.
                        merged bigint REFERENCES fingerprint_track (pk)
                    );
                    CREATE INDEX fingerprint_track_merged ON fingerprint_track (merged) WHERE merged IS NOT NULL;
                    CREATE TABLE fingerprint (
                        number bigint PRIMARY KEY,
                        track bigint NOT NULL REFERENCES fingerprint_track (pk),
                        text text COLLATE "C" NOT NULL,
                        duration bigint NOT NULL, -- seconds
                        submitter bytea NOT NULL,
                        created double precision NOT NULL,
                        submissions bigint NOT NULL
                    );
                    CREATE INDEX fingerprint_by_track ON fingerprint (track, number);
                    CREATE TABLE fingerprint_link (
                        track bigint NOT NULL REFERENCES fingerprint_track (pk),
                        recording text COLLATE "C" NOT NULL,
                        disabled boolean NOT NULL DEFAULT false,
                        PRIMARY KEY (track, recording)
                    );
                    CREATE INDEX fingerprint_link_recording ON fingerprint_link (recording);
                    -- Who said so: a source counts once, however often it says something.
                    CREATE TABLE fingerprint_link_source (
                        track bigint NOT NULL,
                        recording text COLLATE "C" NOT NULL,
                        submitter bytea NOT NULL
                    );
                    CREATE UNIQUE INDEX fingerprint_link_source_key
                        ON fingerprint_link_source (track, recording, sha256(submitter));
                    CREATE TABLE fingerprint_metadata_source (
                        track bigint NOT NULL,
                        json bytea NOT NULL,
                        submitter bytea NOT NULL
                    );
                    CREATE UNIQUE INDEX fingerprint_metadata_source_key
                        ON fingerprint_metadata_source (track, sha256(json), sha256(submitter));
                    CREATE TABLE fingerprint_foreign_source (
                        track bigint NOT NULL,
                        value bytea NOT NULL,
                        submitter bytea NOT NULL
                    );
                    CREATE UNIQUE INDEX fingerprint_foreign_source_key
                        ON fingerprint_foreign_source (track, sha256(value), sha256(submitter));
                    CREATE TABLE fingerprint_submission (
                        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                        state bigint NOT NULL, -- 0 waits, 1 is imported, 2 is refused
                        track bigint REFERENCES fingerprint_track (pk),
                        fingerprint bigint, -- that it became or was counted with
                        json text NOT NULL -- empty once it does not wait: all that counts of it stands elsewhere
                    );
                    CREATE INDEX fingerprint_submission_pending ON fingerprint_submission (number) WHERE state = 0;
                    CREATE INDEX fingerprint_submission_track ON fingerprint_submission (track) WHERE track IS NOT NULL;
                    """
                )
                try connection.change("INSERT INTO fingerprint_store (id) VALUES ($1)", UUID().text)
            }
        ]
    )
}

// MARK: - Submissions

extension PostgreSQLFingerprintStore {
    /// Keeps submissions, all of them or none.
    package func submit(_ submissions: [FingerprintSubmission]) async throws(EarshotError) -> [Int] {
        guard !submissions.isEmpty else { return [] }
        return try await pool.write { connection in
            try connection.rows(
                """
                INSERT INTO fingerprint_submission (state, json)
                SELECT 0, json FROM unnest($1) WITH ORDINALITY AS sent (json, place) ORDER BY place RETURNING number
                """,
                PostgreSQLValue.texts(try submissions.map { try JSONEncoder.sorted().text($0) })
            ).map { row in try row.required("number", row.integer) }.sorted()
        }
    }

    /// Returns the states of submissions.
    package func states(
        ofSubmissions numbers: [Int],
        indexedThrough position: UInt64
    ) async throws(EarshotError) -> [Int: FingerprintSubmission.State] {
        try await pool.read { connection in
            let rows = try connection.rows(
                """
                SELECT s.number, s.state, t.id AS track, s.fingerprint FROM fingerprint_submission s
                LEFT JOIN fingerprint_track t ON t.pk = s.track WHERE s.number = ANY ($1)
                """,
                PostgreSQLValue.integers(numbers)
            )
            var states: [Int: FingerprintSubmission.State] = [:]
            for row in rows {
                states[try row.required("number", row.integer)] = FingerprintRecord.state(
                    try row.required("state", row.integer),
                    track: try row.text("track").map(FingerprintRecord.id),
                    fingerprint: try row.integer("fingerprint"),
                    indexedThrough: position
                )
            }
            return states
        }
    }

    /// Returns the submissions that wait, the oldest first.
    package func pendingSubmissions(
        limit: Int,
        byteLimit: Int
    ) async throws(EarshotError) -> [(number: Int, submission: FingerprintSubmission)] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT number, json FROM (
                    SELECT number, json, sum(octet_length(json)) OVER (ORDER BY number) - octet_length(json) AS bytes_before
                    FROM (
                        SELECT number, json FROM fingerprint_submission WHERE state = 0 ORDER BY number LIMIT $1
                    ) AS pending
                ) AS counted WHERE bytes_before < $2 ORDER BY number
                """,
                max(0, limit),
                max(1, byteLimit)
            ).map { row in
                let json = Data(try row.required("json", row.text).utf8)
                return (try row.required("number", row.integer), try Self.value(FingerprintSubmission.self, json))
            }
        }
    }

    /// Does with a submission that waits what was decided.
    package func complete(
        submission number: Int,
        _ decision: FingerprintDecision
    ) async throws(EarshotError) -> StoredFingerprint? {
        try await pool.write { connection in
            try PostgreSQLFingerprintWriter(connection: connection).complete(number, decision)
        }
    }

    /// Decodes a value from its JSON.
    ///
    /// - Throws: `storeDamaged`.
    static func value<Value: Decodable>(_ type: Value.Type, _ json: Data) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: json)
        } catch {
            throw EarshotError(
                .storeDamaged,
                "The store of fingerprints holds an entry that cannot be read: restore the store from a backup.",
                cause: error
            )
        }
    }
}
