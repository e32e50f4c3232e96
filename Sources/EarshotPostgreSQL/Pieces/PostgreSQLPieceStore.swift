package import EarshotCore
package import EarshotPieces
package import Foundation

/// Pieces, their authors and the apps that open them in a PostgreSQL database, which several nodes use at the same time.
package final class PostgreSQLPieceStore: PieceStore {
    /// The number of identifiers that are read at a time.
    private static let page = 10_000

    let pool: PostgreSQLPool

    /// Opens the store, and creates or migrates its tables.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of a newer version.
    package init(_ pool: PostgreSQLPool) async throws(EarshotError) {
        self.pool = pool
        try await PostgreSQLPieceSchema.migrations.run(in: pool)
    }

    /// Creates a store over tables that exist.
    init(opened pool: PostgreSQLPool) { self.pool = pool }

    // MARK: - Reading

    /// Returns a piece, in any state; `nil` if there never was one of this identifier.
    package func piece(_ id: PieceID) async throws(EarshotError) -> PieceRecord? {
        try await pool.read { connection in
            try connection.row("SELECT \(PostgreSQLPieceRows.columns) FROM piece p WHERE p.id = $1", id.description)
                .map { try PostgreSQLPieceRows.record($0) }
        }
    }

    /// Returns the existing ones of some pieces, in any state.
    package func pieces(_ ids: [PieceID]) async throws(EarshotError) -> [PieceID: PieceRecord] {
        try await pool.read { connection in
            let pieces = try connection.rows(
                "SELECT \(PostgreSQLPieceRows.columns) FROM piece p WHERE p.id = ANY ($1)",
                PostgreSQLValue.texts(ids.map(\.description))
            ).map { try PostgreSQLPieceRows.record($0) }
            return Dictionary(pieces.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        }
    }

    /// Returns the piece that a part belongs to.
    package func piece(withPart id: String) async throws(EarshotError) -> PieceRecord? {
        try await pool.read { connection in
            try connection.row(
                """
                SELECT \(PostgreSQLPieceRows.columns) FROM piece p
                WHERE p.pk = (SELECT named.piece FROM piece_part named WHERE named.id = $1)
                """,
                id
            ).map { try PostgreSQLPieceRows.record($0) }
        }
    }

    /// Returns published pieces, the one published last first.
    package func pieces(_ query: PieceSearch) async throws(EarshotError) -> (pieces: [PieceRecord], total: Int) {
        let condition = PostgreSQLPieceCondition(query)
        let count = condition.parameters.count
        // One statement, so that the total and the page are of the same moment. An empty page is one row of `NULL`.
        let sql = """
            WITH fitting AS \(condition.isSelective ? "MATERIALIZED" : "NOT MATERIALIZED") (
                SELECT pk, number FROM piece WHERE \(condition.sql)
            )
            SELECT counted.total, \(PostgreSQLPieceRows.columns)
            FROM (SELECT count(*) AS total FROM fitting) counted
            LEFT JOIN (
                SELECT pk FROM fitting ORDER BY number DESC LIMIT $\(count + 1) OFFSET $\(count + 2)
            ) page ON true
            LEFT JOIN piece p ON p.pk = page.pk
            ORDER BY p.number DESC
            """
        let parameters = condition.parameters + [.integer(max(0, query.limit)), .integer(max(0, query.offset))]
        let page = try await pool.read { connection in
            let rows = try connection.run(sql, parameters).rows
            let pieces = try rows.compactMap { row in
                try row.integer("pk") == nil ? nil : try PostgreSQLPieceRows.record(row)
            }
            return Page(pieces: pieces, total: try rows.first?.integer("total") ?? 0)
        }
        return (page.pieces, page.total)
    }

    private struct Page: Sendable {
        let pieces: [PieceRecord]
        let total: Int
    }

    /// Returns the pieces that were begun before an instant and are not published.
    package func drafts(begunBefore date: Date) async throws(EarshotError) -> [PieceID] {
        try await pool.read { connection in
            try connection.rows(
                "SELECT id FROM piece WHERE state = 'draft' AND begun < $1 ORDER BY begun",
                date.timeIntervalSince1970
            ).map { try PostgreSQLPieceRows.identifier($0) }
        }
    }

    /// Returns the bytes of pieces, of an author and of all.
    package func usage(ofAuthor author: String) async throws(EarshotError) -> PieceUsage {
        try await pool.read { try PostgreSQLPieceRows.usage($0, ofAuthor: author) }
    }

    /// Returns the identifiers of all pieces in a state.
    package func identifiers(_ states: Set<PieceRecord.State>) async throws(EarshotError) -> Set<PieceID> {
        try await identifiers("p.state = ANY ($1)", .texts(states.map(\.rawValue).sorted()))
    }

    /// Returns the published pieces that were analyzed.
    package func heard() async throws(EarshotError) -> Set<PieceID> {
        try await identifiers("p.state = $1 AND p.findings IS NOT NULL", .text(PieceRecord.State.published.rawValue))
    }

    /// Returns published pieces of which an object store does not have all parts.
    package func pieces(notKeptIn store: String) async throws(EarshotError) -> Set<PieceID> {
        try await identifiers(
            """
            p.state = 'published'
            AND EXISTS (SELECT FROM piece_part t WHERE t.piece = p.pk AND t.kept_in IS DISTINCT FROM $1)
            """,
            .text(store)
        )
    }

    /// Returns the identifiers of all pieces `p` that meet a condition, read in pages. Pieces that change meanwhile may be missing or included.
    private func identifiers(
        _ condition: String,
        _ parameter: PostgreSQLValue
    ) async throws(EarshotError) -> Set<PieceID> {
        var found: Set<PieceID> = []
        var last = ""
        while true {
            let after = last
            let page = try await pool.read { connection in
                try connection.rows(
                    "SELECT p.id FROM piece p WHERE \(condition) AND p.id > $2 ORDER BY p.id LIMIT $3",
                    parameter,
                    after,
                    Self.page
                ).map { try PostgreSQLPieceRows.identifier($0) }
            }
            found.formUnion(page)
            guard page.count == Self.page, let end = page.last else { return found }
            last = end.description
        }
    }

    // MARK: - Changes

    /// Stores a new piece and checks the limits atomically.
    package func add(_ piece: PieceRecord, within limits: PieceLimits) async throws(EarshotError) {
        try ProvenanceGraph.check(piece.id, basedOn: piece.basedOn)
        try await pool.write { try PostgreSQLPieceWriter(connection: $0).add(piece, within: limits) }
    }

    /// Changes a piece that is not removed, as one step that nobody else's change comes between. The body may run twice.
    package func update(
        _ id: PieceID,
        within limits: PieceLimits,
        _ body: @escaping @Sendable (inout PieceRecord) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceRecord? {
        try await pool.write { connection in
            guard let (key, old) = try PostgreSQLPieceRows.locked(connection, id) else { return nil }
            var piece = old
            try body(&piece)
            try PostgreSQLPieceWriter(connection: connection).write(piece, over: old, key, within: limits)
            return piece
        }
    }

    /// Removes a piece: of one that was published a stub stays, with its relations; of another one nothing.
    @discardableResult
    package func remove(
        _ id: PieceID,
        where condition: @escaping @Sendable (PieceRecord) -> Bool
    ) async throws(EarshotError) -> PieceRecord? {
        try await pool.write { connection in
            guard let (key, piece) = try PostgreSQLPieceRows.locked(connection, id), condition(piece)
            else { return nil }
            try PostgreSQLPieceWriter(connection: connection).remove([key])
            return piece
        }
    }
}

// MARK: - Discarded parts

extension PostgreSQLPieceStore {
    /// Notes that a part is to be removed from an instant on, unless a piece has it by then.
    package func discard(_ part: DiscardedPart, from date: Date) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change(
                """
                INSERT INTO piece_discarded (part, piece, due) VALUES ($1, $2, $3)
                ON CONFLICT (part) DO UPDATE SET due = excluded.due
                """,
                part.part,
                part.piece.description,
                date.timeIntervalSince1970
            )
        }
    }

    /// Returns discarded parts that are due to be removed and that no piece has.
    package func discarded(at now: Date, limit: Int) async throws(EarshotError) -> [DiscardedPart] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT d.part, d.piece FROM piece_discarded d
                WHERE d.due <= $1 AND NOT EXISTS (SELECT FROM piece_part t WHERE t.id = d.part) ORDER BY d.part LIMIT $2
                """,
                now.timeIntervalSince1970,
                max(0, limit)
            ).map { row in
                DiscardedPart(
                    part: try row.required("part", row.text),
                    piece: try PostgreSQLPieceRows.identifier(row, "piece")
                )
            }
        }
    }

    /// Forgets parts whose bytes have been removed.
    package func disposed(of parts: [DiscardedPart]) async throws(EarshotError) {
        _ = try await pool.write { connection in
            // Locked in a fixed order: otherwise two nodes that forget the same parts could deadlock.
            try connection.change(
                """
                DELETE FROM piece_discarded WHERE part IN (
                    SELECT part FROM piece_discarded WHERE part = ANY ($1) ORDER BY part FOR UPDATE)
                """,
                PostgreSQLValue.texts(parts.map(\.part))
            )
        }
    }
}
