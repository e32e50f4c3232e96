import EarshotCatalogs
package import EarshotCore
package import EarshotNodes
package import EarshotSharedCatalogs
import Foundation

/// The files that are to become references.
///
/// The rows of a catalog are always locked in this order, so that transactions do not deadlock: the catalog, its files by names, its
/// progress.
extension PostgreSQLManifestStore {
    /// The most files that one statement enters.
    private static let entryCount = 5_000

    @discardableResult
    package func enter(_ files: [IngestFile], in catalog: String) async throws(EarshotError) -> Int {
        // Each name once, because a statement may not change a row twice.
        let files = IngestFile.distinct(files)
        return try await pool.write { connection in
            try Self.require(catalog, connection)
            var sum = EntryCount()
            for start in stride(from: 0, to: files.count, by: Self.entryCount) {
                let part = files[start..<min(start + Self.entryCount, files.count)]
                try Self.enter(part, catalog, connection, &sum)
            }
            var progress = try Self.lockProgress(of: catalog, connection)
            progress.enter(new: sum.new, retried: sum.retried, forgotten: sum.forgotten)
            try connection.change(
                "UPDATE catalog_ingest SET entered = $2, added = $3, present = $4, failed = $5 WHERE catalog = $1",
                catalog,
                progress.entered,
                progress.added,
                progress.present,
                progress.failed
            )
            return sum.present
        }
    }

    /// The numbers of entered files by their outcome.
    private struct EntryCount {
        var new = 0
        var retried = 0
        var forgotten = 0
        var present = 0
    }

    private static func enter(
        _ files: ArraySlice<IngestFile>,
        _ catalog: String,
        _ connection: PostgreSQLConnection,
        _ sum: inout EntryCount
    ) throws {
        let names = PostgreSQLValue.texts(files.map(\.id.rawValue))
        let paths = PostgreSQLValue.texts(files.map(\.path))
        sum.forgotten += try connection.change(
            """
            DELETE FROM catalog_file
            WHERE catalog = $1 AND failure IS NOT NULL AND CASE WHEN name = ANY($2)
                THEN EXISTS (SELECT FROM catalog_reference AS there WHERE there.catalog = $1 AND there.name = catalog_file.name)
                ELSE path = ANY($3) END
            """,
            catalog,
            names,
            paths
        )
        sum.retried += try connection.change(
            """
            UPDATE catalog_file SET failure = NULL WHERE catalog = $1 AND failure IS NOT NULL AND name = ANY($2)
            """,
            catalog,
            names
        )
        let row = try connection.row(
            """
            WITH entered AS (
                INSERT INTO catalog_file (catalog, name, path, items)
                SELECT $1, name, path, items
                FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS file (name, path, items, place)
                WHERE NOT EXISTS (
                    SELECT FROM catalog_reference AS there WHERE there.catalog = $1 AND there.name = file.name COLLATE "C"
                )
                ORDER BY place
                ON CONFLICT (catalog, name) DO UPDATE SET path = excluded.path, items = excluded.items
                    WHERE catalog_file.holder IS NULL
                        AND (catalog_file.path, catalog_file.items) IS DISTINCT FROM (excluded.path, excluded.items)
                -- A row that was there has a transaction that locked it.
                RETURNING xmax::text = '0' AS is_new
            )
            SELECT count(*) AS new,
                (SELECT count(*) FROM catalog_reference AS there WHERE there.catalog = $1 AND there.name = ANY($2)) AS present
            FROM entered WHERE is_new
            """,
            catalog,
            names,
            paths,
            PostgreSQLValue.texts(try files.map { try text($0.items) })
        )
        sum.new += try row.map { try $0.required("new", $0.integer) } ?? 0
        sum.present += try row.map { try $0.required("present", $0.integer) } ?? 0
    }

    private static func text(_ items: [MediaItem]) throws -> String {
        items.isEmpty ? "[]" : try JSONEncoder.sorted().text(items.map(\.json))
    }

    private static func items(_ text: String) throws(EarshotError) -> [MediaItem] {
        guard text != "[]" else { return [] }
        guard let values = try? JSONDecoder().decode([JSONValue].self, from: Data(text.utf8)) else {
            throw EarshotError(
                .storeDamaged,
                "The media items of a file in the database cannot be read: restore the database from a backup."
            )
        }
        return try values.map { value throws(EarshotError) in try MediaItem(json: value) }
    }

    // MARK: - Progress

    private static let columns = "entered, added, present, failed"

    package func progress(of catalog: String) async throws(EarshotError) -> IngestProgress {
        try await pool.read { connection in
            try connection.row("SELECT \(Self.columns) FROM catalog_ingest WHERE catalog = $1", catalog)
                .map(Self.progress) ?? IngestProgress()
        }
    }

    private static func progress(_ row: PostgreSQLRow) throws(EarshotError) -> IngestProgress {
        var progress = IngestProgress()
        progress.entered = try row.required("entered", row.integer)
        progress.added = try row.required("added", row.integer)
        progress.present = try row.required("present", row.integer)
        progress.failed = try row.required("failed", row.integer)
        return progress
    }

    /// Locks the progress of a catalog until the transaction ends. Creates the row if there is none.
    private static func lockProgress(
        of catalog: String,
        _ connection: PostgreSQLConnection
    ) throws -> IngestProgress {
        try connection.change(
            """
            INSERT INTO catalog_ingest (catalog, entered, added, present, failed) VALUES ($1, 0, 0, 0, 0)
            ON CONFLICT DO NOTHING
            """,
            catalog
        )
        let row = try connection.row(
            "SELECT \(columns) FROM catalog_ingest WHERE catalog = $1 FOR UPDATE",
            catalog
        )
        return try row.map(progress) ?? IngestProgress()
    }

    package func failures(of catalog: String) async throws(EarshotError) -> [FailedFile] {
        try await pool.read { connection in
            try connection.rows(
                "SELECT path, failure FROM catalog_file WHERE catalog = $1 AND failure IS NOT NULL ORDER BY path",
                catalog
            ).map { row in
                let text = try row.required("failure", row.text)
                guard let failure = try? JSONDecoder().decode(Job.Failure.self, from: Data(text.utf8)) else {
                    throw EarshotError(
                        .storeDamaged,
                        "The recorded error of a file in the database cannot be read: restore the database from a backup."
                    )
                }
                return FailedFile(path: try row.required("path", row.text), failure: failure)
            }
        }
    }

    // MARK: - Holding

    package func claim(
        _ count: Int,
        in catalog: String,
        for node: NodeID,
        seconds: Double
    ) async throws(EarshotError) -> [IngestFile] {
        try await pool.write(isDurable: false) { connection in
            // Rows that another node is claiming are skipped. Not durable: if a crash of the server loses a claim, the commit of its
            // references is refused.
            let rows = try connection.rows(
                """
                WITH next AS MATERIALIZED (
                    SELECT name FROM catalog_file
                    WHERE catalog = $1 AND failure IS NULL AND (until IS NULL OR until <= clock_timestamp())
                    ORDER BY number LIMIT $2 FOR UPDATE SKIP LOCKED
                )
                UPDATE catalog_file AS file SET holder = $3, until = clock_timestamp() + make_interval(secs => $4)
                FROM next WHERE file.catalog = $1 AND file.name = next.name
                RETURNING file.name, file.path, file.items, file.number
                """,
                catalog,
                count,
                node.rawValue,
                seconds
            )
            let files = try rows.map { row in
                let file = IngestFile(
                    id: ReferenceID(try row.required("name", row.text)),
                    path: try row.required("path", row.text),
                    items: try Self.items(try row.required("items", row.text))
                )
                return (number: try row.required("number", row.integer), file: file)
            }
            return files.sorted { $0.number < $1.number }.map(\.file)
        }
    }

    package func prolong(
        in catalog: String,
        for node: NodeID,
        seconds: Double
    ) async throws(EarshotError) -> Set<ReferenceID> {
        try await pool.write(isDurable: false) { connection in
            // Locked in the order in which a commit locks them, to avoid deadlocks.
            try connection.rows(
                "SELECT name FROM catalog_file WHERE catalog = $1 AND holder = $2 ORDER BY name FOR UPDATE",
                catalog,
                node.rawValue
            )
            let present = try connection.change(
                """
                DELETE FROM catalog_file AS file USING catalog_reference AS there
                WHERE file.catalog = $1 AND file.holder = $2 AND there.catalog = $1 AND there.name = file.name
                """,
                catalog,
                node.rawValue
            )
            let rows = try connection.rows(
                """
                UPDATE catalog_file SET until = clock_timestamp() + make_interval(secs => $3)
                WHERE catalog = $1 AND holder = $2 RETURNING name
                """,
                catalog,
                node.rawValue,
                seconds
            )
            if present > 0 {
                try connection.change(
                    "UPDATE catalog_ingest SET present = present + $2 WHERE catalog = $1",
                    catalog,
                    present
                )
            }
            return Set(try rows.map { ReferenceID(try $0.required("name", $0.text)) })
        }
    }

    package func fail(
        _ id: ReferenceID,
        in catalog: String,
        for node: NodeID,
        _ failure: Job.Failure
    ) async throws(EarshotError) {
        try await pool.write { connection in
            let failed = try connection.change(
                """
                UPDATE catalog_file SET failure = $4, holder = NULL, until = NULL
                WHERE catalog = $1 AND name = $2 AND holder = $3
                """,
                catalog,
                id.rawValue,
                node.rawValue,
                try JSONEncoder.sorted().text(failure)
            )
            guard failed > 0 else { return }
            try connection.change("UPDATE catalog_ingest SET failed = failed + 1 WHERE catalog = $1", catalog)
        }
    }

    package func release(in catalog: String, for node: NodeID) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change(
                "UPDATE catalog_file SET holder = NULL, until = NULL WHERE catalog = $1 AND holder = $2",
                catalog,
                node.rawValue
            )
        }
    }

    // MARK: - Ending

    /// Locks the files of the references of a change. Returns `true` if its holder holds all of them, or it has no holder.
    static func holdsFiles(
        of change: SharedChange,
        _ catalog: String,
        _ connection: PostgreSQLConnection
    ) throws -> Bool {
        guard let holder = change.holder, let addition = change.addition else { return true }
        let held = try connection.rows(
            """
            SELECT name FROM catalog_file WHERE catalog = $1 AND holder = $2 AND name = ANY($3) ORDER BY name FOR UPDATE
            """,
            catalog,
            holder.rawValue,
            PostgreSQLValue.texts(addition.names.map(\.rawValue))
        )
        return held.count == addition.names.count
    }

    /// Ends the files whose references a change adds. For a change without a holder, forgets failures of files with the added names.
    static func endFiles(of change: SharedChange, _ catalog: String, _ connection: PostgreSQLConnection) throws {
        guard let addition = change.addition else { return }
        guard change.holder != nil else {
            let forgotten = try connection.change(
                "DELETE FROM catalog_file WHERE catalog = $1 AND failure IS NOT NULL AND name = ANY($2)",
                catalog,
                PostgreSQLValue.texts(addition.names.map(\.rawValue))
            )
            guard forgotten > 0 else { return }
            try connection.change(
                "UPDATE catalog_ingest SET failed = failed - $2, present = present + $2 WHERE catalog = $1",
                catalog,
                forgotten
            )
            return
        }
        try connection.change(
            "DELETE FROM catalog_file WHERE catalog = $1 AND name = ANY($2)",
            catalog,
            PostgreSQLValue.texts(addition.names.map(\.rawValue))
        )
        try connection.change(
            "UPDATE catalog_ingest SET added = added + $2 WHERE catalog = $1",
            catalog,
            addition.names.count
        )
    }
}
