package import EarshotCore
package import EarshotNodes
import Foundation

/// The nodes of a service and their leases in a PostgreSQL database. Time is the server's.
package final class PostgreSQLNodeStore: LeaseStore, NodeRegister {
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

    /// Returns the store in a database, without creating or migrating tables; `nil` if the database has none.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of another version.
    package static func existing(in pool: PostgreSQLPool) async throws(EarshotError) -> PostgreSQLNodeStore? {
        try await migrations.isPresent(in: pool) ? PostgreSQLNodeStore(opened: pool) : nil
    }

    private static let migrations = PostgreSQLMigrations(
        "nodes",
        [
            { connection in
                try connection.execute(
                    """
                    CREATE TABLE lease (
                        name text COLLATE "C" PRIMARY KEY,
                        holder text COLLATE "C" NOT NULL,
                        fence bigint NOT NULL,
                        until timestamptz NOT NULL
                    );
                    CREATE TABLE node (
                        id text COLLATE "C" PRIMARY KEY,
                        until timestamptz NOT NULL,
                        json text NOT NULL
                    );
                    """
                )
            },
            { connection in
                try connection.execute("ALTER TABLE node ADD COLUMN is_draining boolean NOT NULL DEFAULT false")
            },
        ]
    )

    // MARK: - Leases

    package func take(_ name: String, for node: NodeID, seconds: Double) async throws(EarshotError) -> Lease? {
        try await pool.write { connection in
            // Not `now()`, which is the start of the transaction: it may have waited for the row since.
            let row = try connection.row(
                """
                INSERT INTO lease (name, holder, fence, until)
                VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3))
                ON CONFLICT (name) DO UPDATE SET
                    holder = excluded.holder,
                    fence = lease.fence + CASE WHEN lease.until > clock_timestamp() THEN 0 ELSE 1 END,
                    until = excluded.until
                WHERE lease.holder = excluded.holder OR lease.until <= clock_timestamp()
                RETURNING fence
                """,
                name,
                node.rawValue,
                seconds
            )
            return try row?.integer("fence").map { Lease(name: name, holder: node, fence: $0, seconds: seconds) }
        }
    }

    package func release(_ lease: Lease) async throws(EarshotError) {
        // The row stays, so that the next holder has a greater fence.
        _ = try await pool.write { connection in
            try connection.change(
                "UPDATE lease SET until = clock_timestamp() WHERE name = $1 AND holder = $2 AND fence = $3",
                lease.name,
                lease.holder.rawValue,
                lease.fence
            )
        }
    }

    package func leases() async throws(EarshotError) -> [Lease] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT name, holder, fence, extract(epoch FROM until - clock_timestamp())::double precision AS seconds
                FROM lease WHERE until > clock_timestamp() ORDER BY name
                """
            ).map { row in
                Lease(
                    name: try row.required("name", row.text),
                    holder: NodeID(rawValue: try row.required("holder", row.text)),
                    fence: try row.required("fence", row.integer),
                    seconds: try row.required("seconds", row.double)
                )
            }
        }
    }

    // MARK: - Nodes

    package func announce(_ record: NodeRecord, seconds: Double) async throws(EarshotError) -> Bool {
        let json = try Self.text(record)
        return try await pool.write { connection in
            let row = try connection.row(
                """
                INSERT INTO node (id, until, json) VALUES ($1, clock_timestamp() + make_interval(secs => $2), $3)
                ON CONFLICT (id) DO UPDATE SET until = excluded.until, json = excluded.json
                RETURNING is_draining
                """,
                record.id.rawValue,
                seconds,
                json
            )
            // Rows are removed a day after a node died or a lease ended.
            try connection.change("DELETE FROM node WHERE until < clock_timestamp() - interval '1 day'")
            try connection.change("DELETE FROM lease WHERE until < clock_timestamp() - interval '1 day'")
            return try row?.bool("is_draining") == true
        }
    }

    package func setDraining(_ isDraining: Bool, of node: NodeID) async throws(EarshotError) -> Bool {
        try await pool.write { connection in
            try connection.change(
                "UPDATE node SET is_draining = $2 WHERE id = $1 AND until > clock_timestamp()",
                node.rawValue,
                isDraining
            ) > 0
        }
    }

    package func leave(_ node: NodeID) async throws(EarshotError) {
        // The row stays for a day: `places()` needs the folder of the node, whose jobs must not fail yet.
        _ = try await pool.write { connection in
            try connection.change("UPDATE node SET until = clock_timestamp() WHERE id = $1", node.rawValue)
        }
    }

    package func nodes() async throws(EarshotError) -> [NodeRecord] {
        try await pool.read { connection in
            try connection.rows("SELECT json FROM node WHERE until > clock_timestamp() ORDER BY id")
                .map { try Self.record(try $0.required("json", $0.text)) }
        }
    }

    package func places() async throws(EarshotError) -> Set<PlaceID>? {
        let records = try await pool.read { connection in
            try connection.rows("SELECT json FROM node WHERE until >= clock_timestamp() - interval '1 day'")
                .map { try Self.record(try $0.required("json", $0.text)) }
        }
        let places = Set(records.compactMap(\.place))
        return records.contains { $0.place == nil } ? nil : places
    }

    private static func text(_ record: NodeRecord) throws(EarshotError) -> String {
        do {
            return try JSONEncoder.sorted().text(record)
        } catch {
            throw EarshotError(
                .internalError,
                "The record of a node cannot be encoded: please report this.",
                cause: error
            )
        }
    }

    private static func record(_ text: String) throws(EarshotError) -> NodeRecord {
        do {
            return try JSONDecoder().decode(NodeRecord.self, from: Data(text.utf8))
        } catch {
            throw EarshotError(
                .storeDamaged,
                "The record of a node in the database cannot be read: please report this.",
                cause: error
            )
        }
    }
}
