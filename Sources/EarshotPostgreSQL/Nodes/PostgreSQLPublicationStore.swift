package import EarshotCore
package import EarshotNodes
import Foundation

/// Publications of a service in a PostgreSQL database. Time is the server's.
package final class PostgreSQLPublicationStore: PublicationStore {
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
        "publications",
        [
            { connection in
                try connection.execute(
                    """
                    CREATE TABLE publication_name (
                        kind text COLLATE "C" NOT NULL,
                        name text COLLATE "C" NOT NULL,
                        version bigint NOT NULL, -- the greatest that was chosen
                        PRIMARY KEY (kind, name)
                    );
                    CREATE TABLE publication (
                        kind text COLLATE "C" NOT NULL,
                        name text COLLATE "C" NOT NULL,
                        version bigint NOT NULL,
                        size bigint NOT NULL,
                        reference_count bigint NOT NULL,
                        sha256 text COLLATE "C" NOT NULL,
                        published bigint NOT NULL, -- in milliseconds since 1970
                        object text COLLATE "C" NOT NULL UNIQUE,
                        PRIMARY KEY (kind, name, version)
                    );
                    CREATE TABLE publication_garbage (
                        object text COLLATE "C" PRIMARY KEY,
                        since timestamptz NOT NULL,
                        is_being_removed boolean NOT NULL DEFAULT false
                    );
                    """
                )
            }
        ]
    )

    private static let columns = "kind, name, version, size, reference_count, sha256, published, object"

    // MARK: - Reading

    package func newest(_ kind: Publication.Kind) async throws(EarshotError) -> [Publication] {
        try await pool.read { connection in
            try connection.rows(
                "SELECT DISTINCT ON (name) \(Self.columns) FROM publication WHERE kind = $1 ORDER BY name, version DESC",
                kind.rawValue
            ).map { try Self.publication($0, kind) }
        }
    }

    package func versions(of name: String, _ kind: Publication.Kind) async throws(EarshotError) -> [Publication] {
        // PostgreSQL refuses a parameter with U+0000, and no name contains it.
        guard !name.utf8.contains(0) else { return [] }
        return try await pool.read { connection in try Self.versions(of: name, kind, connection) }
    }

    private static func versions(
        of name: String,
        _ kind: Publication.Kind,
        _ connection: PostgreSQLConnection
    ) throws -> [Publication] {
        try connection.rows(
            "SELECT \(columns) FROM publication WHERE kind = $1 AND name = $2 ORDER BY version",
            kind.rawValue,
            name
        ).map { try publication($0, kind) }
    }

    private static func publication(
        _ row: PostgreSQLRow,
        _ kind: Publication.Kind
    ) throws(EarshotError) -> Publication {
        var publication = Publication(
            kind,
            name: try row.required("name", row.text),
            version: try row.required("version", row.integer),
            size: try row.required("size", row.integer),
            references: try row.required("reference_count", row.integer),
            sha256: try row.required("sha256", row.text),
            date: Date(timeIntervalSince1970: Double(try row.required("published", row.integer)) / 1_000)
        )
        publication.object = try row.required("object", row.text)
        return publication
    }

    // MARK: - Publishing

    package func reserve(_ object: String) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change(
                """
                INSERT INTO publication_garbage (object, since) VALUES ($1, clock_timestamp())
                ON CONFLICT (object) DO UPDATE SET since = excluded.since
                """,
                object
            )
        }
    }

    package func add(_ publication: Publication, above floor: Int) async throws(EarshotError) -> Publication {
        try await pool.write { connection in
            try Self.take(publication, connection)
            // Locks the row of the name, so that two nodes choose their versions one after the other.
            let row = try connection.row(
                """
                WITH next AS (
                    INSERT INTO publication_name AS known (kind, name, version) VALUES ($1, $2, $8::bigint + 1)
                    ON CONFLICT (kind, name) DO UPDATE SET version = greatest(known.version, $8::bigint) + 1
                    RETURNING version
                )
                INSERT INTO publication (\(Self.columns))
                SELECT $1, $2, next.version, $3, $4, $5, $6, $7 FROM next
                RETURNING \(Self.columns)
                """,
                publication.kind.rawValue,
                publication.name,
                publication.size,
                publication.references,
                publication.sha256,
                Self.milliseconds(publication.date),
                publication.object,
                floor
            )
            guard let row else {
                throw EarshotError(
                    .internalError,
                    "The \(publication.kind.rawValue) \(publication.name) was not stored: please report this."
                )
            }
            return try Self.publication(row, publication.kind)
        }
    }

    package func replace(with publication: Publication) async throws(EarshotError) -> Publication {
        try await pool.write { connection in
            let (kind, name) = (publication.kind.rawValue, publication.name)
            // Locks the row of the name until the transaction ends.
            try connection.change(
                """
                INSERT INTO publication_name AS known (kind, name, version) VALUES ($1, $2, 0)
                ON CONFLICT (kind, name) DO UPDATE SET version = known.version
                """,
                kind,
                name
            )
            let present = try Self.versions(of: name, publication.kind, connection)
            if let last = present.last, last.version >= publication.version { return last }
            try Self.take(publication, connection)
            try Self.remove(name, kind, connection)
            let row = try connection.row(
                """
                INSERT INTO publication (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                RETURNING \(Self.columns)
                """,
                kind,
                name,
                publication.version,
                publication.size,
                publication.references,
                publication.sha256,
                Self.milliseconds(publication.date),
                publication.object
            )
            guard let row else {
                throw EarshotError(
                    .internalError,
                    "The \(publication.kind.rawValue) \(publication.name) was not stored: please report this."
                )
            }
            return try Self.publication(row, publication.kind)
        }
    }

    package func remove(_ name: String, _ kind: Publication.Kind) async throws(EarshotError) -> Bool {
        guard !name.utf8.contains(0) else { return false }
        return try await pool.write { connection in try Self.remove(name, kind.rawValue, connection) > 0 }
    }

    /// Makes the objects of a name garbage.
    ///
    /// - Returns: The number of objects.
    @discardableResult
    private static func remove(
        _ name: String,
        _ kind: String,
        _ connection: PostgreSQLConnection
    ) throws -> Int {
        try connection.change(
            """
            WITH gone AS (DELETE FROM publication WHERE kind = $1 AND name = $2 RETURNING object)
            INSERT INTO publication_garbage (object, since) SELECT object, clock_timestamp() FROM gone
            """,
            kind,
            name
        )
    }

    /// Ends the reservation of a publication's object, which is needed from now on.
    private static func take(_ publication: Publication, _ connection: PostgreSQLConnection) throws {
        let count = try connection.change(
            "DELETE FROM publication_garbage WHERE object = $1 AND NOT is_being_removed",
            publication.object
        )
        guard count == 1 else { throw expired(publication) }
    }

    private static func milliseconds(_ date: Date) -> Int {
        Int(clamping: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
    }

    // MARK: - Garbage

    package func garbage(after seconds: Double) async throws(EarshotError) -> [String] {
        try await pool.write { connection in
            try connection.rows(
                """
                WITH old AS (
                    UPDATE publication_garbage SET is_being_removed = true
                    WHERE since <= clock_timestamp() - make_interval(secs => $1) RETURNING object
                )
                SELECT object FROM old ORDER BY object
                """,
                seconds
            ).map { try $0.required("object", $0.text) }
        }
    }

    package func forget(_ objects: [String]) async throws(EarshotError) {
        _ = try await pool.write { connection in
            for object in objects {
                try connection.change(
                    "DELETE FROM publication_garbage WHERE object = $1 AND is_being_removed",
                    object
                )
            }
        }
    }
}
