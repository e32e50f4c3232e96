package import EarshotCore
package import EarshotNodes
import Foundation

/// Attempts to log in that all nodes of a service count together in a PostgreSQL database. Time is the server's.
package final class PostgreSQLAttemptStore: AttemptStore {
    /// Expired counts are removed at one of this number of attempts, on average.
    private static let cleaning = 64

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
        "attempts",
        [
            { connection in
                try connection.execute(
                    """
                    CREATE TABLE attempt (
                        key text COLLATE "C" PRIMARY KEY,
                        number bigint NOT NULL,
                        last timestamptz NOT NULL,
                        until timestamptz NOT NULL,
                        most bigint NOT NULL,
                        pause double precision NOT NULL
                    );
                    CREATE INDEX attempt_until ON attempt (until);
                    CREATE TABLE attempt_mark (
                        subject text COLLATE "C" NOT NULL,
                        name text COLLATE "C" NOT NULL,
                        until timestamptz NOT NULL,
                        PRIMARY KEY (subject, name)
                    );
                    CREATE INDEX attempt_mark_until ON attempt_mark (until);
                    """
                )
            }
        ]
    )

    package func count(_ limits: [AttemptLimit]) async throws(EarshotError) -> [String]? {
        if Int.random(in: 0..<Self.cleaning) == 0 { try await clean() }
        do throws(EarshotError) {
            // Not durable: a crash of the server loses a few counts at most.
            return try await pool.write(isDurable: false) { connection in
                // A row is counted if its limit is not reached. `most` and `pause` are in the row because the conflict clause can see
                // nothing else. Rows are changed in order of keys, so that concurrent attempts do not deadlock. Not `now()`, which is
                // the start of the transaction: it may have waited for a row since.
                let rows = try connection.rows(
                    """
                    WITH wanted AS (
                        SELECT key, most, seconds, pause FROM unnest($1, $2, $3, $4, $5, $6)
                            AS wanted (key, most, seconds, pause, subject, name)
                        WHERE NOT EXISTS (
                            SELECT 1 FROM attempt_mark AS mark
                            WHERE mark.subject = wanted.subject AND mark.name = wanted.name
                                AND mark.until > clock_timestamp()
                        )
                    ), counted AS (
                        INSERT INTO attempt AS old (key, number, last, until, most, pause)
                        SELECT key, 1, clock_timestamp(), clock_timestamp() + make_interval(secs => seconds), most, pause
                        FROM wanted WHERE most > 0 ORDER BY key
                        ON CONFLICT (key) DO UPDATE SET
                            number = CASE WHEN old.until > clock_timestamp() THEN old.number ELSE 0 END + 1,
                            until = CASE WHEN old.until > clock_timestamp() THEN old.until ELSE excluded.until END,
                            last = clock_timestamp(), most = excluded.most, pause = excluded.pause
                        WHERE old.until <= clock_timestamp() OR old.number < excluded.most
                            OR extract(epoch FROM clock_timestamp() - old.last) >= excluded.pause
                        RETURNING key
                    )
                    SELECT wanted.key, counted.key IS NOT NULL AS is_counted
                    FROM wanted LEFT JOIN counted ON counted.key = wanted.key
                    """,
                    PostgreSQLValue.texts(limits.map(\.key)),
                    PostgreSQLValue.integers(limits.map(\.most)),
                    PostgreSQLValue.doubles(limits.map(\.window)),
                    PostgreSQLValue.doubles(limits.map(\.pause)),
                    PostgreSQLValue.texts(limits.map { $0.exemption?.subject ?? "" }),
                    PostgreSQLValue.texts(limits.map { $0.exemption?.name ?? "" })
                )
                // If one limit is reached, the error rolls back all counts.
                guard try rows.allSatisfy({ try $0.required("is_counted", $0.bool) }) else { throw Self.refusal }
                let counted = Set(try rows.map { try $0.required("key", $0.text) })
                return limits.map(\.key).filter(counted.contains)
            }
        } catch {
            guard error.code == .tooManyRequests else { throw error }
            return nil
        }
    }

    /// The error that rolls back the transaction of an attempt that exceeds a limit.
    private static var refusal: EarshotError {
        EarshotError(.tooManyRequests, "Too many attempts were made: try again later.")
    }

    package func takeBack(
        _ keys: [String],
        forgetting forgotten: String?,
        noting mark: AttemptMark?,
        for seconds: Double
    ) async throws(EarshotError) {
        let keys = keys.filter { $0 != forgotten }
        _ = try await pool.write(isDurable: false) { connection in
            try connection.change(
                """
                WITH back AS (
                    UPDATE attempt SET number = number - 1 WHERE key = ANY ($1) AND number > 0
                ), forgotten AS (
                    DELETE FROM attempt WHERE key = $2
                ), old AS (
                    DELETE FROM attempt_mark WHERE subject = $3 AND name IN (
                        SELECT name FROM attempt_mark WHERE subject = $3 AND name <> $4 ORDER BY until DESC OFFSET $6
                    )
                )
                INSERT INTO attempt_mark (subject, name, until)
                SELECT $3, $4, clock_timestamp() + make_interval(secs => $5) WHERE $7
                ON CONFLICT (subject, name) DO UPDATE SET until = excluded.until
                """,
                PostgreSQLValue.texts(keys),
                forgotten ?? "",
                mark?.subject ?? "",
                mark?.name ?? "",
                seconds,
                AttemptMark.most - 1,
                mark != nil
            )
        }
    }

    /// Removes expired counts and marks, except rows that another transaction has locked.
    private func clean() async throws(EarshotError) {
        _ = try await pool.write(isDurable: false) { connection in
            for (table, key) in [("attempt", "key"), ("attempt_mark", "subject, name")] {
                try connection.change(
                    """
                    DELETE FROM \(table) WHERE (\(key)) IN (
                        SELECT \(key) FROM \(table) WHERE until <= clock_timestamp() FOR UPDATE SKIP LOCKED
                    )
                    """
                )
            }
        }
    }
}
