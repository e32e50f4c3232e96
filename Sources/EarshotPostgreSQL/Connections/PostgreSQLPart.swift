package import EarshotCore

/// A part of a database, with tables of its own.
package enum PostgreSQLPart: String, CaseIterable, Sendable {
    case accounts, attempts, catalogs, fingerprints, guide, jobs, live, music, nodes, pieces, playlog, publications

    /// Looks whether a database has the part, in whichever version, and changes nothing.
    package func exists(in pool: PostgreSQLPool) async throws(EarshotError) -> Bool {
        guard try await PostgreSQLMigrations.wereRun(in: pool) else { return false }
        let name = rawValue
        return try await pool.read { connection in
            try connection.row("SELECT step FROM earshot_migration WHERE part = $1", name) != nil
        }
    }
}
