package import EarshotCore
package import EarshotPieces
package import Foundation

extension PostgreSQLPieceStore {
    // MARK: - Relations

    /// Returns the ancestors of a piece, the nearest first, and in the order in which parents were named.
    package func ancestors(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative] {
        let next = """
            SELECT r.parent AS pk, r.place AS step FROM piece_parent r WHERE r.piece = edge.pk ORDER BY r.place LIMIT $2
            """
        return try await pool.read { try Self.relatives($0, of: id, limit: limit, next: next) }
    }

    /// Returns the published pieces that descend from a piece, the nearest first, and in the order in which they came.
    package func descendants(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative] {
        let next = """
            SELECT r.piece AS pk, r.number AS step FROM piece_parent r WHERE r.parent = edge.pk ORDER BY r.number LIMIT $2
            """
        return try await pool.read { try Self.relatives($0, of: id, limit: limit, next: next) }
    }

    /// Returns the relatives of a piece, level by level.
    ///
    /// One statement for each level, and each piece once: a recursive query would follow every path, and not end in a dense graph. Relations
    /// never change, so nothing is missed between the statements.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - id: The piece.
    ///   - limit: The most relatives.
    ///   - next: SQL for the pieces one step from the piece `edge.pk`, in the order of `step`, at most `$2` of them.
    private static func relatives(
        _ connection: PostgreSQLConnection,
        of id: PieceID,
        limit: Int,
        next: String
    ) throws -> [ProvenanceGraph.Relative] {
        guard limit > 0,
            let start = try connection.row("SELECT pk FROM piece WHERE id = $1", id.description)?.integer("pk")
        else { return [] }
        // Each row of a piece leads to a new relative, for which there must be room, or to one that was seen: more rows need not be
        // read.
        let most = limit == .max ? limit : limit + 1
        let sql = """
            SELECT p.pk, p.id, p.state FROM (
                SELECT DISTINCT ON (next.pk) next.pk, edge.place, next.step
                FROM unnest($1) WITH ORDINALITY AS edge (pk, place) CROSS JOIN LATERAL (\(next)) next
                WHERE next.pk <> ALL ($3) ORDER BY next.pk, edge.place, next.step
            ) first JOIN piece p ON p.pk = first.pk ORDER BY first.place, first.step LIMIT $4
            """
        var found: [ProvenanceGraph.Relative] = []
        var (seen, edge, distance) = ([start], [start], 1)
        while !edge.isEmpty, found.count < limit {
            let rows = try connection.rows(
                sql,
                PostgreSQLValue.integers(edge),
                most,
                PostgreSQLValue.integers(seen),
                limit - found.count
            )
            edge = try rows.map { row in try row.required("pk", row.integer) }
            seen += edge
            found += try rows.map { row in
                ProvenanceGraph.Relative(
                    id: try PostgreSQLPieceRows.identifier(row),
                    distance: distance,
                    isRemoved: try row.text("state") == PieceRecord.State.removed.rawValue
                )
            }
            distance += 1
        }
        return found
    }

    // MARK: - Findings

    /// Returns the findings of a piece; `nil` if it was not analyzed yet.
    package func findings(of id: PieceID) async throws(EarshotError) -> Data? {
        try await pool.read { connection in
            try connection.row("SELECT findings FROM piece WHERE id = $1", id.description)?.bytes("findings")
        }
    }

    /// Stores the findings of a published piece; `nil` to have it analyzed again.
    package func setFindings(_ findings: Data?, isQuoting: Bool, of id: PieceID) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change(
                "UPDATE piece SET findings = $2, quoting = $3 WHERE id = $1 AND state = 'published'",
                id.description,
                findings,
                findings != nil && isQuoting
            )
        }
    }

    /// Returns published pieces that were not analyzed yet, one of each author.
    package func unheard(
        excluding excluded: Set<PieceID>,
        limit: Int
    ) async throws(EarshotError) -> [(author: String, piece: PieceID)] {
        let names = excluded.map(\.description).sorted()
        let pieces = try await pool.read { connection in
            try connection.rows(
                """
                SELECT first.author, first.id FROM (
                    SELECT DISTINCT ON (author) author, id, number FROM piece
                    WHERE state = 'published' AND findings IS NULL AND id <> ALL ($1) ORDER BY author, number
                ) first ORDER BY first.number LIMIT $2
                """,
                PostgreSQLValue.texts(names),
                max(0, limit)
            ).map { row in
                UnheardPiece(
                    author: try row.required("author", row.text),
                    piece: try PostgreSQLPieceRows.identifier(row)
                )
            }
        }
        return pieces.map { ($0.author, $0.piece) }
    }

    private struct UnheardPiece: Sendable {
        let author: String
        let piece: PieceID
    }
}
