package import EarshotCatalogs
package import EarshotCore
package import EarshotSharedCatalogs
import Foundation

/// Manifests of shared catalogs in a PostgreSQL database, which several nodes read and change at the same time.
///
/// A change locks the row of its catalog, so changes of one catalog are made one after another. Each takes a few milliseconds.
package final class PostgreSQLManifestStore: IngestStore {
    /// The notification channel of changes. The payload is the name of the catalog.
    package static let channel = "earshot_catalog"

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

    /// Returns the store in a database, without creating or migrating tables; `nil` if the database has none.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of another version.
    package static func existing(in pool: PostgreSQLPool) async throws(EarshotError) -> PostgreSQLManifestStore? {
        try await migrations.isPresent(in: pool) ? PostgreSQLManifestStore(opened: pool) : nil
    }

    private static let migrations = PostgreSQLMigrations(
        "catalogs",
        [
            { connection in
                try connection.execute(
                    """
                    CREATE TABLE catalog (
                        name text COLLATE "C" PRIMARY KEY,
                        generation bigint NOT NULL,
                        stamp uuid NOT NULL DEFAULT gen_random_uuid(),
                        next_number bigint NOT NULL,
                        query_minimum bigint NOT NULL,
                        query_maximum bigint NOT NULL
                    );
                    CREATE TABLE catalog_segment (
                        catalog text COLLATE "C" NOT NULL REFERENCES catalog (name) ON DELETE CASCADE,
                        number bigint NOT NULL,
                        object text COLLATE "C" NOT NULL,
                        size bigint NOT NULL,
                        reference_count bigint NOT NULL,
                        frame_count bigint NOT NULL,
                        posting_count bigint NOT NULL,
                        position bigint NOT NULL,
                        removed bytea NOT NULL,
                        sources bytea NOT NULL,
                        dropped timestamptz,
                        PRIMARY KEY (catalog, number)
                    );
                    CREATE INDEX catalog_segment_live ON catalog_segment (catalog, position) WHERE dropped IS NULL;
                    CREATE INDEX catalog_segment_object ON catalog_segment (catalog, object);
                    CREATE TABLE catalog_reference (
                        catalog text COLLATE "C" NOT NULL REFERENCES catalog (name) ON DELETE CASCADE,
                        name text COLLATE "C" NOT NULL,
                        segment bigint NOT NULL,
                        number bigint NOT NULL,
                        generation bigint NOT NULL,
                        PRIMARY KEY (catalog, name)
                    );
                    CREATE TABLE catalog_object (
                        catalog text COLLATE "C" NOT NULL REFERENCES catalog (name) ON DELETE CASCADE,
                        object text COLLATE "C" NOT NULL,
                        put timestamptz NOT NULL,
                        is_being_removed boolean NOT NULL DEFAULT false,
                        PRIMARY KEY (catalog, object)
                    );
                    """
                )
            },
            { connection in
                // A row for each file that is no reference yet. `number` is the order in which files were entered. The failure is JSON,
                // because `text` refuses U+0000.
                try connection.execute(
                    """
                    CREATE TABLE catalog_file (
                        catalog text COLLATE "C" NOT NULL REFERENCES catalog (name) ON DELETE CASCADE,
                        name text COLLATE "C" NOT NULL,
                        number bigint GENERATED ALWAYS AS IDENTITY,
                        path text COLLATE "C" NOT NULL,
                        items text COLLATE "C" NOT NULL,
                        holder text COLLATE "C",
                        until timestamptz,
                        failure text COLLATE "C",
                        PRIMARY KEY (catalog, name)
                    );
                    CREATE INDEX catalog_file_open ON catalog_file (catalog, number) WHERE failure IS NULL;
                    CREATE INDEX catalog_file_held ON catalog_file (catalog, holder) WHERE holder IS NOT NULL;
                    CREATE INDEX catalog_file_failed ON catalog_file (catalog, name) WHERE failure IS NOT NULL;
                    CREATE TABLE catalog_ingest (
                        catalog text COLLATE "C" PRIMARY KEY REFERENCES catalog (name) ON DELETE CASCADE,
                        entered bigint NOT NULL,
                        added bigint NOT NULL,
                        present bigint NOT NULL,
                        failed bigint NOT NULL
                    );
                    """
                )
            },
            { connection in try connection.execute("ALTER TABLE catalog ADD COLUMN copies bigint;") },
        ]
    )

    // MARK: - Reading

    package func create(_ catalog: String, limits: QueryLimits) async throws(EarshotError) -> Bool {
        try await pool.write { connection in
            try connection.change(
                """
                INSERT INTO catalog (name, generation, next_number, query_minimum, query_maximum)
                VALUES ($1, 1, 1, $2, $3) ON CONFLICT DO NOTHING
                """,
                catalog,
                Int(limits.minimum.value),
                Int(limits.maximum.value)
            ) > 0
        }
    }

    package func catalogs() async throws(EarshotError) -> [String] {
        try await pool.read { connection in
            try connection.rows("SELECT name FROM catalog ORDER BY name").map { try $0.required("name", $0.text) }
        }
    }

    package func stamp(of catalog: String) async throws(EarshotError) -> String? {
        try await pool.read { connection in
            try connection.row("SELECT stamp::text AS stamp FROM catalog WHERE name = $1", catalog)?.text("stamp")
        }
    }

    package func manifest(of catalog: String) async throws(EarshotError) -> SharedManifest? {
        try await pool.read { connection in
            // One statement, so that generation and segments are of the same moment.
            let rows = try connection.rows(
                """
                SELECT generation, stamp::text AS stamp, query_minimum, query_maximum, copies, number, object, size, reference_count, frame_count,
                    posting_count, position, removed, sources
                FROM catalog LEFT JOIN catalog_segment ON catalog = name AND dropped IS NULL
                WHERE name = $1 ORDER BY position
                """,
                catalog
            )
            guard let first = rows.first else { return nil }
            return SharedManifest(
                generation: try first.required("generation", first.integer),
                stamp: try first.required("stamp", first.text),
                limits: QueryLimits(
                    minimum: try Self.time(first, "query_minimum"),
                    maximum: try Self.time(first, "query_maximum")
                ),
                segments: try rows.compactMap(Self.segment),
                copies: try first.integer("copies")
            )
        }
    }

    private static func time(_ row: PostgreSQLRow, _ column: String) throws(EarshotError) -> MediaTime {
        MediaTime(value: Int64(try row.required(column, row.integer)), timescale: 1_000)
    }

    /// Returns the segment of a row; `nil` if the catalog has no segment.
    private static func segment(_ row: PostgreSQLRow) throws(EarshotError) -> SharedSegment? {
        guard let number = try row.integer("number") else { return nil }
        let count = try row.required("reference_count", row.integer)
        return SharedSegment(
            number: number,
            object: try row.required("object", row.text),
            size: try row.required("size", row.integer),
            referenceCount: count,
            frameCount: try row.required("frame_count", row.integer),
            postingCount: try row.required("posting_count", row.integer),
            position: try row.required("position", row.integer),
            removed: try RemovedNumbers.numbers(try row.required("removed", row.bytes), below: count),
            sources: try SharedSegment.Source.sources(try row.required("sources", row.bytes))
        )
    }

    package func objects(holding names: [ReferenceID], in catalog: String) async throws(EarshotError) -> [String] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT object FROM catalog_segment AS segment
                WHERE catalog = $1 AND dropped IS NULL AND number IN (
                    SELECT reference.segment FROM catalog_reference AS reference
                    WHERE reference.catalog = $1 AND reference.name = ANY($2)
                )
                ORDER BY position
                """,
                catalog,
                PostgreSQLValue.texts(names.map(\.rawValue))
            ).map { try $0.required("object", $0.text) }
        }
    }

    package func dropped(of catalog: String) async throws(EarshotError) -> [SharedSegment] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT number, object, size, reference_count, frame_count, posting_count, position, removed, sources
                FROM catalog_segment WHERE catalog = $1 AND dropped IS NOT NULL ORDER BY number
                """,
                catalog
            ).compactMap(Self.segment)
        }
    }

    // MARK: - Changes

    package func setCopies(_ copies: Int?, of catalog: String) async throws(EarshotError) {
        _ = try await pool.write { connection in
            let head = try Self.lock(catalog, connection)
            try connection.change("UPDATE catalog SET copies = $2 WHERE name = $1", catalog, copies)
            return try Self.finish(catalog, head, connection)
        }
    }

    package func announce(_ object: String, in catalog: String) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try Self.require(catalog, connection)
            try connection.change(
                """
                INSERT INTO catalog_object (catalog, object, put) VALUES ($1, $2, clock_timestamp())
                ON CONFLICT (catalog, object) DO NOTHING
                """,
                catalog,
                object
            )
        }
    }

    package func commit(_ change: SharedChange, to catalog: String) async throws(EarshotError) -> Int? {
        try await pool.write { connection in
            let head = try Self.lock(catalog, connection)
            let gone = change.removed.map(\.rawValue)
            let come = change.addition?.names.map(\.rawValue) ?? []
            let places = try connection.rows(
                """
                SELECT segment, number FROM catalog_reference
                WHERE catalog = $1 AND name = ANY($2) AND generation <= $3
                """,
                catalog,
                PostgreSQLValue.texts(gone),
                change.base
            )
            let taken = try connection.row(
                """
                SELECT name FROM catalog_reference WHERE catalog = $1 AND name = ANY($2) AND NOT name = ANY($3) LIMIT 1
                """,
                catalog,
                PostgreSQLValue.texts(come),
                PostgreSQLValue.texts(gone)
            )
            guard places.count == Set(gone).count, taken == nil, try Self.has(change.addition, catalog, connection),
                try Self.holdsFiles(of: change, catalog, connection)
            else {
                return nil
            }
            try Self.endFiles(of: change, catalog, connection)
            if !gone.isEmpty {
                var removed: [Int: Set<Int>] = [:]
                for place in places {
                    let segment = try place.required("segment", place.integer)
                    removed[segment, default: []].insert(try place.required("number", place.integer))
                }
                for (segment, numbers) in removed.sorted(by: { $0.key < $1.key }) {
                    try Self.remove(numbers, of: segment, catalog, connection)
                }
                try connection.change(
                    "DELETE FROM catalog_reference WHERE catalog = $1 AND name = ANY($2)",
                    catalog,
                    PostgreSQLValue.texts(gone)
                )
            }
            if let addition = change.addition {
                try Self.insert(addition, head.nextNumber, position: head.nextNumber, catalog, connection)
                try connection.change(
                    """
                    INSERT INTO catalog_reference (catalog, name, segment, number, generation)
                    SELECT $1, name, $3, place - 1, $4 FROM unnest($2::text[]) WITH ORDINALITY AS added (name, place)
                    """,
                    catalog,
                    PostgreSQLValue.texts(come),
                    head.nextNumber,
                    head.generation + 1
                )
            }
            return try Self.finish(catalog, head, connection)
        }
    }

    package func commit(_ merge: SharedMerge, to catalog: String) async throws(EarshotError) -> Int? {
        try await pool.write { connection in
            let head = try Self.lock(catalog, connection)
            let numbers = merge.sources.map(\.number)
            let rows = try connection.rows(
                """
                SELECT number, reference_count, position, removed FROM catalog_segment
                WHERE catalog = $1 AND number = ANY($2) AND dropped IS NULL
                """,
                catalog,
                PostgreSQLValue.integers(numbers)
            )
            guard rows.count == Set(numbers).count, try Self.has(merge.merged, catalog, connection) else { return nil }
            var removed: [Int: Set<Int>] = [:]
            for row in rows {
                removed[try row.required("number", row.integer)] = try RemovedNumbers.numbers(
                    try row.required("removed", row.bytes),
                    below: try row.required("reference_count", row.integer)
                )
            }
            if let merged = merge.merged {
                let position = try rows.map { try $0.required("position", $0.integer) }.min() ?? 0
                try Self.insert(
                    merged,
                    head.nextNumber,
                    position: position,
                    removed: merge.carried(removed),
                    sources: merge.sources.map { SharedSegment.Source(object: $0.object, removed: $0.removed) },
                    catalog,
                    connection
                )
                // Only names that are still in the sources move: one may have been removed and added again in another segment.
                try connection.change(
                    """
                    UPDATE catalog_reference AS reference SET segment = $4, number = moved.place - 1
                    FROM unnest($2::text[]) WITH ORDINALITY AS moved (name, place)
                    WHERE reference.catalog = $1 AND reference.name = moved.name COLLATE "C"
                        AND reference.segment = ANY($3)
                    """,
                    catalog,
                    PostgreSQLValue.texts(merged.names.map(\.rawValue)),
                    PostgreSQLValue.integers(numbers),
                    head.nextNumber
                )
            }
            try connection.change(
                "UPDATE catalog_segment SET dropped = clock_timestamp() WHERE catalog = $1 AND number = ANY($2)",
                catalog,
                PostgreSQLValue.integers(numbers)
            )
            return try Self.finish(catalog, head, connection)
        }
    }

    typealias Head = (generation: Int, nextNumber: Int)

    static func require(_ catalog: String, _ connection: PostgreSQLConnection) throws {
        guard try connection.row("SELECT name FROM catalog WHERE name = $1", catalog) != nil else {
            throw SharedManifest.missing(catalog)
        }
    }

    /// Locks the row of a catalog until the transaction ends.
    static func lock(_ catalog: String, _ connection: PostgreSQLConnection) throws -> Head {
        let row = try connection.row(
            "SELECT generation, next_number FROM catalog WHERE name = $1 FOR NO KEY UPDATE",
            catalog
        )
        guard let row else { throw SharedManifest.missing(catalog) }
        return (try row.required("generation", row.integer), try row.required("next_number", row.integer))
    }

    /// Returns `true` if the object of a segment was announced and is not being removed, or if there is no segment.
    private static func has(
        _ addition: SharedChange.Addition?,
        _ catalog: String,
        _ connection: PostgreSQLConnection
    ) throws -> Bool {
        guard let addition else { return true }
        return try connection.row(
            "SELECT object FROM catalog_object WHERE catalog = $1 AND object = $2 AND NOT is_being_removed",
            catalog,
            addition.object
        ) != nil
    }

    private static func finish(
        _ catalog: String,
        _ head: Head,
        _ connection: PostgreSQLConnection
    ) throws -> Int {
        try connection.change(
            "UPDATE catalog SET generation = $2, stamp = gen_random_uuid(), next_number = $3 WHERE name = $1",
            catalog,
            head.generation + 1,
            head.nextNumber + 1
        )
        try connection.rows("SELECT pg_notify($1, $2)::text", channel, catalog)
        return head.generation + 1
    }

    private static func remove(
        _ numbers: Set<Int>,
        of segment: Int,
        _ catalog: String,
        _ connection: PostgreSQLConnection
    ) throws {
        let row = try connection.row(
            "SELECT removed, reference_count FROM catalog_segment WHERE catalog = $1 AND number = $2",
            catalog,
            segment
        )
        guard let row else {
            throw EarshotError(
                .storeDamaged,
                "A reference of the catalog \(catalog) is in no segment: restore the database."
            )
        }
        let count = try row.required("reference_count", row.integer)
        let before = try RemovedNumbers.numbers(try row.required("removed", row.bytes), below: count)
        try connection.change(
            "UPDATE catalog_segment SET removed = $3 WHERE catalog = $1 AND number = $2",
            catalog,
            segment,
            RemovedNumbers.bytes(before.union(numbers))
        )
    }

    private static func insert(
        _ addition: SharedChange.Addition,
        _ number: Int,
        position: Int,
        removed: Set<Int> = [],
        sources: [SharedSegment.Source] = [],
        _ catalog: String,
        _ connection: PostgreSQLConnection
    ) throws {
        try connection.change(
            """
            INSERT INTO catalog_segment (catalog, number, object, size, reference_count, frame_count, posting_count, position,
                removed, sources)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            catalog,
            number,
            addition.object,
            addition.size,
            addition.names.count,
            addition.frameCount,
            addition.postingCount,
            position,
            RemovedNumbers.bytes(removed),
            SharedSegment.Source.bytes(sources)
        )
    }
}
