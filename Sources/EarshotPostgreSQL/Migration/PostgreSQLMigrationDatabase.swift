package import EarshotCore
package import EarshotMigration
import Foundation
import Synchronization

/// The database of a service in PostgreSQL, as a migration reads or fills it.
package final class PostgreSQLMigrationDatabase: MigrationDatabase {
    package let name: String
    private let pool: PostgreSQLPool
    /// A connection whose open transaction locks the database against changes; `nil` if it is not locked.
    private let guardian = Mutex<PostgreSQLConnection?>(nil)
    /// The stores whose tables exist.
    private let parts: Set<MigrationTable.Part>

    /// A database that is only read.
    ///
    /// - Throws: `storeUnavailable` if it cannot be reached, `storeDamaged` if it is of another version.
    package init(reading pool: PostgreSQLPool) async throws(EarshotError) {
        (self.pool, name) = (pool, pool.options.name)
        var parts: Set<MigrationTable.Part> = []
        for part in MigrationTable.Part.allCases where try await part.migrations.isPresent(in: pool) {
            parts.insert(part)
        }
        self.parts = parts
    }

    /// A database that is filled. Tables that are not there are made.
    ///
    /// - Throws: `storeUnavailable` if it cannot be reached, `storeDamaged` if it is of a newer version.
    package init(filling pool: PostgreSQLPool) async throws(EarshotError) {
        (self.pool, name, parts) = (pool, pool.options.name, Set(MigrationTable.Part.allCases))
        for part in MigrationTable.Part.allCases { try await part.migrations.run(in: pool) }
    }

    /// `true` if the database contains the data of a service.
    package var isService: Bool { parts.contains(.accounts) }

    /// Returns the settings of connections for a migration: a statement works on many rows.
    package static func options(_ options: PostgreSQLOptions) -> PostgreSQLOptions {
        var options = options
        (options.connections, options.statementTime, options.commitSeconds) = (2, 600_000, 600)
        return options
    }

    /// Returns the names of the nodes that use the database.
    package func nodes() async throws(EarshotError) -> [String] {
        try await pool.read { connection in
            guard try connection.row("SELECT to_regclass('node')::text AS name")?.text("name") != nil else { return [] }
            return try connection.rows("SELECT id FROM node WHERE until > clock_timestamp() ORDER BY id")
                .map { row in try row.required("id", row.text) }
        }
    }

    /// Keeps all others from changing the database, until this object or the program ends.
    ///
    /// - Throws: `storeUnavailable` if somebody just changes it, and goes on for seconds.
    package func lock() async throws(EarshotError) {
        let options = pool.options
        try await BlockingWork.run { () throws(EarshotError) in
            do throws(PostgreSQLFailure) {
                try self.guardian.withLock { guardian throws(PostgreSQLFailure) in
                    let connection = try PostgreSQLConnection(options)
                    // The transaction is idle for as long as the migration takes.
                    try connection.execute("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0")
                    // `SHARE` locks let others read but not write.
                    try connection.execute(
                        """
                        DO $$ DECLARE name text; BEGIN
                            FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename LOOP
                                EXECUTE format('LOCK TABLE %I IN SHARE MODE', name);
                            END LOOP;
                        END $$
                        """
                    )
                    guardian = connection
                }
            } catch {
                throw error.error
            }
        }
    }

    // MARK: - Records

    package func count(_ table: MigrationTable) async throws(EarshotError) -> Int {
        guard parts.contains(table.part) else { return 0 }
        let sql = PostgreSQLMigrationForm.form(of: table).mapping.count
        return try await pool.read { connection in try connection.row(sql)?.integer("count") ?? 0 }
    }

    package func records(
        _ table: MigrationTable,
        after key: MigrationRecord?,
        limit: Int
    ) async throws(EarshotError) -> [MigrationRecord] {
        guard parts.contains(table.part) else { return [] }
        let parameters = (key ?? []).map(\.parameter) + [.integer(limit)]
        let sql = PostgreSQLMigrationForm.form(of: table).mapping
            .page(isContinued: key != nil, limit: "$\(parameters.count)") { "$\($0 + 1)" }
        return try await pool.read { connection in
            try connection.run(sql, parameters).rows.map { row in try Self.record(row, table.columns) }
        }
    }

    package func lastKey(_ table: MigrationTable) async throws(EarshotError) -> MigrationRecord? {
        guard parts.contains(table.part) else { return nil }
        let sql = PostgreSQLMigrationForm.form(of: table).mapping.last
        return try await pool.read { connection in
            try connection.row(sql).map { row in try Self.record(row, Array(table.columns.prefix(table.keyLength))) }
        }
    }

    package func add(_ records: [MigrationRecord], to table: MigrationTable) async throws(EarshotError) {
        guard !records.isEmpty else { return }
        for record in records {
            for (column, value) in zip(table.columns, record) {
                guard case .text(let text) = value, text.utf8.contains(0) else { continue }
                throw EarshotError(
                    .metadataInvalid,
                    "In \(table.name) the \(column.name) of the record \(record[0]) has a character U+0000, which PostgreSQL's texts do "
                        + "not hold: change or remove it, then repeat."
                )
            }
        }
        let form = PostgreSQLMigrationForm.form(of: table)
        try await pool.write { connection in try form.add(records, connection) }
    }

    package func finish() async throws(EarshotError) {
        _ = try await pool.write { connection in
            for (table, column) in PostgreSQLMigrationForm.identities {
                try connection.rows(
                    """
                    SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), coalesce(max(\(column)), 1), max(\(column)) IS NOT NULL)
                    FROM \(table)
                    """
                )
            }
            try connection.execute(
                """
                UPDATE piece_total SET bytes = coalesce((SELECT sum(size)::bigint FROM piece_part), 0),
                    number = coalesce((SELECT max(number) FROM piece), 0);
                UPDATE play_log SET plays = (SELECT count(*) FROM play_record), gaps = (SELECT count(*) FROM play_gap)
                """
            )
        }
    }

    private static func record(
        _ row: PostgreSQLRow,
        _ columns: [MigrationTable.Column]
    ) throws(EarshotError) -> MigrationRecord {
        var record: MigrationRecord = []
        for (place, column) in columns.enumerated() {
            let name = "c\(place)"
            let value: MigrationValue? =
                switch column.type {
                case .integer: try row.integer(name).map { .integer($0) }
                case .real: try row.double(name).map { .real($0) }
                case .text: try row.text(name).map { .text($0) }
                case .bytes: try row.bytes(name).map { .bytes($0) }
                }
            record.append(value ?? .null)
        }
        return record
    }

    // MARK: - Origin

    package func origin() async throws(EarshotError) -> String? { try await Self.origin(pool) }

    /// Returns the source of a migration into a database that has not ended; `nil` if there is none.
    package static func origin(_ pool: PostgreSQLPool) async throws(EarshotError) -> String? {
        try await pool.read { connection in
            guard try connection.row("SELECT to_regclass('earshot_origin')::text AS name")?.text("name") != nil else {
                return nil
            }
            return try connection.row("SELECT source FROM earshot_origin")?.text("source")
        }
    }

    package func setOrigin(_ origin: String?) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.execute("DROP TABLE IF EXISTS earshot_origin")
            guard let origin else { return }
            // The table exists only until the migration has ended.
            try connection.execute("CREATE TABLE earshot_origin (source text NOT NULL)")
            try connection.change("INSERT INTO earshot_origin VALUES ($1)", origin)
        }
    }
}

extension MigrationTable.Part {
    /// The steps that create the tables of the store.
    fileprivate var migrations: PostgreSQLMigrations {
        switch self {
        case .accounts: PostgreSQLAccountStore.migrations
        case .pieces: PostgreSQLPieceSchema.migrations
        case .playlog: PostgreSQLPlaylogStore.migrations
        case .fingerprints: PostgreSQLFingerprintStore.migrations
        case .guide: PostgreSQLGuideStore.migrations
        case .music: MusicTables.migrations
        }
    }
}

extension MigrationValue: PostgreSQLParameter {
    package var parameter: PostgreSQLValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .double(value)
        case .text(let value): .text(value)
        case .bytes(let value): .bytes(value)
        }
    }
}
