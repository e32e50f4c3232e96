package import EarshotCore

/// The steps that bring a part of a database to the form of this version.
package struct PostgreSQLMigrations: Sendable {
    /// The part: `accounts`.
    let part: String
    /// The steps, in order. A released step must never be changed.
    let steps: [@Sendable (PostgreSQLConnection) throws -> Void]

    /// Steps of a part.
    package init(_ part: String, _ steps: [@Sendable (PostgreSQLConnection) throws -> Void]) {
        (self.part, self.steps) = (part, steps)
    }

    /// Does the steps that are left, in one transaction. Of several nodes that start at the same moment one does them, and the others wait.
    ///
    /// - Throws: `storeDamaged` if the database is of a newer version.
    package func run(in pool: PostgreSQLPool) async throws(EarshotError) {
        let (part, steps) = (part, steps)
        try await pool.write { connection in
            // The lock ends with the transaction. Its number is `earshot` in ASCII, and 1.
            try connection.rows("SELECT pg_advisory_xact_lock($1)", 0x6561_7273_686F_7401)
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS earshot_migration (
                    part text COLLATE "C" PRIMARY KEY,
                    step bigint NOT NULL
                )
                """
            )
            let row = try connection.row("SELECT step FROM earshot_migration WHERE part = $1", part)
            let done = try row?.integer("step") ?? 0
            guard done <= steps.count else {
                throw EarshotError(
                    .storeDamaged,
                    "The PostgreSQL database is of a newer version of this program (\(part) \(done)): use that version."
                )
            }
            guard done < steps.count else { return }
            for step in steps[done...] { try step(connection) }
            try connection.change(
                """
                INSERT INTO earshot_migration (part, step) VALUES ($1, $2)
                ON CONFLICT (part) DO UPDATE SET step = excluded.step
                """,
                part,
                steps.count
            )
        }
    }

    /// Looks whether a database has any part, and changes nothing.
    package static func wereRun(in pool: PostgreSQLPool) async throws(EarshotError) -> Bool {
        try await pool.read { connection in
            try connection.row("SELECT to_regclass('earshot_migration')::text AS name")?.text("name") != nil
        }
    }

    /// Looks whether the part is in the database, and changes nothing.
    ///
    /// - Throws: `storeDamaged` if it is of an older or a newer version.
    func isPresent(in pool: PostgreSQLPool) async throws(EarshotError) -> Bool {
        let (part, steps) = (part, steps)
        return try await pool.read { connection in
            guard try connection.row("SELECT to_regclass('earshot_migration')::text AS name")?.text("name") != nil,
                let done = try connection.row("SELECT step FROM earshot_migration WHERE part = $1", part)?.integer(
                    "step"
                )
            else { return false }
            guard done == steps.count else {
                throw EarshotError(
                    .storeDamaged,
                    "The PostgreSQL database is of another version of this program (\(part) \(done)): start `earshot serve` of this "
                        + "version with it once, then repeat."
                )
            }
            return true
        }
    }
}
