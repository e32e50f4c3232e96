import EarshotCore
import EarshotPieces

/// Reads pieces from rows.
enum PostgreSQLPieceRows {
    /// The columns of a piece `p` with its parts, in one statement, so that all values are of the same moment.
    static let columns = """
        p.pk, p.id, p.author, p.state, p.visibility, p.begun, p.published, p.parents, p.json,
        (SELECT '[' || string_agg(t.json, ',' ORDER BY t.place) || ']' FROM piece_part t WHERE t.piece = p.pk) AS parts
        """

    /// Returns the piece of a row.
    ///
    /// - Throws: `storeDamaged` if it cannot be read.
    static func record(_ row: PostgreSQLRow) throws(EarshotError) -> PieceRecord {
        try PieceRecord(
            id: try row.required("id", row.text),
            author: try row.required("author", row.text),
            state: try row.required("state", row.text),
            visibility: try row.required("visibility", row.text),
            parents: try row.required("parents", row.text),
            begun: try row.required("begun", row.double),
            published: try row.double("published"),
            json: try row.required("json", row.text),
            parts: try PieceFields.value([StoredPart].self, try row.text("parts") ?? "[]")
        )
    }

    /// Returns the identifier of a piece in a row.
    ///
    /// - Throws: `storeDamaged` for an invalid one.
    static func identifier(_ row: PostgreSQLRow, _ column: String = "id") throws(EarshotError) -> PieceID {
        guard let id = PieceID(try row.required(column, row.text)) else { throw PieceFields.damaged() }
        return id
    }

    /// Returns a piece, and locks it until the transaction ends; `nil` if there is none, or it was removed.
    ///
    /// - Throws: `storeDamaged` if it cannot be read.
    static func locked(
        _ connection: PostgreSQLConnection,
        _ id: PieceID
    ) throws -> (key: Int, piece: PieceRecord)? {
        // Not `FOR UPDATE`, which would also block the publication of pieces that are based on this one.
        let lock = try connection.row("SELECT pk FROM piece WHERE id = $1 FOR NO KEY UPDATE", id.description)
        // A second statement: the one that waited for the lock would return the new piece with the parts from before the wait.
        guard let key = try lock?.integer("pk"),
            let row = try connection.row("SELECT \(columns) FROM piece p WHERE p.pk = $1", key)
        else { return nil }
        let piece = try record(row)
        return piece.state == .removed ? nil : (key, piece)
    }

    /// Returns the bytes of pieces, of an author and of all, at one moment.
    static func usage(_ connection: PostgreSQLConnection, ofAuthor author: String) throws -> PieceUsage {
        var usage = PieceUsage()
        // Sums are of type `numeric`. Drafts are few: each author has so many, and none is older than a day.
        let row = try connection.row(
            """
            WITH announced AS (
                SELECT p.author, sum(t.size) AS bytes FROM piece p JOIN piece_part t ON t.piece = p.pk
                WHERE p.state = 'draft' AND NOT t.complete GROUP BY p.author HAVING sum(t.size) > 0
            )
            SELECT
                (SELECT count(*) FROM piece WHERE state = 'draft' AND author = $1) AS drafts,
                (
                    SELECT coalesce(sum(t.size), 0)::bigint FROM piece p JOIN piece_part t ON t.piece = p.pk
                    WHERE p.author = $1
                ) AS author_bytes,
                (SELECT bytes FROM piece_total) AS total_bytes,
                (SELECT count(*) FROM announced) AS announcers,
                (SELECT coalesce(sum(bytes), 0)::bigint FROM announced) AS total_announced,
                (SELECT coalesce(sum(bytes), 0)::bigint FROM announced WHERE author = $1) AS author_announced
            """,
            author
        )
        guard let row else { return usage }
        usage.drafts = try row.required("drafts", row.integer)
        usage.authorBytes = try row.required("author_bytes", row.integer)
        usage.totalBytes = try row.required("total_bytes", row.integer)
        usage.announcers = try row.required("announcers", row.integer)
        usage.totalAnnounced = try row.required("total_announced", row.integer)
        usage.authorAnnounced = try row.required("author_announced", row.integer)
        return usage
    }
}
