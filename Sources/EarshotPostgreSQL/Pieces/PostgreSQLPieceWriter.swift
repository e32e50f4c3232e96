import EarshotCore
import EarshotPieces
import Foundation

/// Changes of pieces in a transaction.
///
/// To avoid deadlocks, rows are always locked in this order: authors, pieces by their keys, parts, discarded parts, and the row of totals.
/// All changes of sizes and all publications wait for the last one, so that limits are checked against committed totals, and numbers are
/// in the order in which publications become visible.
struct PostgreSQLPieceWriter {
    let connection: PostgreSQLConnection

    // MARK: - Pieces

    /// Adds a piece.
    ///
    /// - Throws: `pieceInvalid` if the piece exists, `unknownParent`, and the errors of limits.
    func add(_ piece: PieceRecord, within limits: PieceLimits) throws {
        let fields = try PieceFields(piece)
        let row = try connection.row(
            """
            INSERT INTO piece (
                id, author, state, visibility, begun, published, words, tempo, length, tonality, parents, json
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING RETURNING pk
            """,
            piece.id.description,
            piece.author,
            fields.state,
            fields.visibility,
            piece.begun.timeIntervalSince1970,
            fields.published,
            fields.words,
            fields.tempo,
            Int(fields.length),
            fields.tonality?.column,
            try PieceFields.text(piece.basedOn),
            fields.json
        )
        guard let key = try row?.integer("pk") else { throw EarshotError.pieceExists(piece.id) }
        // Parents that are found cannot vanish before the commit: a published piece leaves a stub when it is removed.
        let parents = Set(
            try connection.rows(
                "SELECT id FROM piece WHERE id = ANY ($1) AND state <> 'draft'",
                PostgreSQLValue.texts(piece.basedOn.map(\.description))
            ).map { try PostgreSQLPieceRows.identifier($0) }
        )
        if let missing = piece.basedOn.first(where: { !parents.contains($0) }) {
            throw EarshotError.unknownParent(missing, of: piece.id)
        }
        try writeParts(of: piece, key, over: [])
        try settle(piece, key, isNew: piece.state == .published, bytes: piece.size, limits)
    }

    /// Replaces a locked piece.
    ///
    /// - Throws: The errors of limits if it is larger than before.
    func write(_ piece: PieceRecord, over old: PieceRecord, _ key: Int, within limits: PieceLimits) throws {
        let fields = try PieceFields(piece)
        let row = try connection.row(
            """
            UPDATE piece SET state = $2, visibility = $3, published = $4, words = $5, tempo = $6, length = $7, tonality = $8, json = $9
            WHERE pk = $1 RETURNING number
            """,
            key,
            fields.state,
            fields.visibility,
            fields.published,
            fields.words,
            fields.tempo,
            Int(fields.length),
            fields.tonality?.column,
            fields.json
        )
        let isNew = try piece.state == .published && row?.integer("number") == nil
        try writeParts(of: piece, key, over: old.parts)
        let bytes = piece.size - old.size
        try settle(piece, key, isNew: isNew, bytes: bytes, bytes > 0 ? limits : .unlimited)
    }

    /// Removes locked pieces. Published ones leave stubs with their relations, drafts leave nothing.
    func remove(_ keys: [Int]) throws {
        let keys = PostgreSQLValue.integers(keys)
        let row = try connection.row(
            """
            WITH gone AS (
                DELETE FROM piece_part t USING piece p WHERE p.pk = t.piece AND t.piece = ANY ($1)
                RETURNING t.id, p.id AS piece, t.size
            ), discarded AS (
                INSERT INTO piece_discarded (part, piece, due) SELECT id, piece, 0 FROM gone ORDER BY id
                ON CONFLICT (part) DO UPDATE SET due = 0
            )
            SELECT coalesce(sum(size), 0)::bigint AS bytes FROM gone
            """,
            keys
        )
        try connection.change("DELETE FROM piece WHERE pk = ANY ($1) AND state = 'draft'", keys)
        try connection.change(
            """
            UPDATE piece SET
                state = 'removed', words = '', tempo = NULL, length = 0, tonality = NULL, json = $2, quoting = false, findings = NULL
            WHERE pk = ANY ($1)
            """,
            keys,
            try PieceFields.stub()
        )
        if let bytes = try row?.integer("bytes"), bytes != 0 { try addTotal(bytes: -bytes) }
    }

    // MARK: - Parts

    /// Writes changed parts, and discards those that the piece has lost.
    private func writeParts(of piece: PieceRecord, _ key: Int, over old: [StoredPart]) throws {
        let gone = Set(old.map(\.id)).subtracting(piece.parts.map(\.id)).sorted()
        if !gone.isEmpty {
            try connection.change(
                """
                WITH gone AS (DELETE FROM piece_part WHERE piece = $1 AND id = ANY ($2) RETURNING id)
                INSERT INTO piece_discarded (part, piece, due) SELECT id, $3, 0 FROM gone ORDER BY id
                ON CONFLICT (part) DO UPDATE SET due = 0
                """,
                key,
                PostgreSQLValue.texts(gone),
                piece.id.description
            )
        }
        let known = Dictionary(zip(old.map(\.id), old.enumerated()), uniquingKeysWith: { $1 })
        for (place, part) in piece.parts.enumerated() {
            let before = known[part.id]
            if let before, before.offset == place, before.element == part { continue }
            try connection.change(
                before == nil
                    ? "INSERT INTO piece_part (id, piece, place, size, complete, kept_in, json) VALUES ($1, $2, $3, $4, $5, $6, $7)"
                    : "UPDATE piece_part SET place = $3, size = $4, complete = $5, kept_in = $6, json = $7 WHERE id = $1 AND piece = $2",
                part.id,
                key,
                place,
                part.size,
                part.isComplete,
                part.keptIn,
                try PieceFields.text(part)
            )
        }
    }

    // MARK: - Totals

    /// Adds the change of a piece's size to the totals, gives a newly published piece its number, and checks the limits.
    private func settle(_ piece: PieceRecord, _ key: Int, isNew: Bool, bytes: Int, _ limits: PieceLimits) throws {
        // Limits of drafts are checked for pieces without parts too.
        guard isNew || bytes != 0 || limits != .unlimited else { return }
        let number = try addTotal(bytes: bytes, publications: isNew ? 1 : 0)
        if isNew {
            try connection.change("UPDATE piece SET number = $2 WHERE pk = $1", key, number)
            let count = try connection.change(
                """
                INSERT INTO piece_parent (piece, place, parent, number)
                SELECT $1, named.place, p.pk, $3 FROM unnest($2) WITH ORDINALITY AS named (id, place)
                JOIN piece p ON p.id = named.id
                """,
                key,
                PostgreSQLValue.texts(piece.basedOn.map(\.description)),
                number
            )
            guard count == piece.basedOn.count else { throw PieceFields.damaged() }
        }
        if limits != .unlimited {
            try limits.check(try PostgreSQLPieceRows.usage(connection, ofAuthor: piece.author))
        }
    }

    /// Adds to the totals, whose row is locked until the transaction ends.
    ///
    /// - Returns: The number of the last publication.
    @discardableResult
    private func addTotal(bytes: Int, publications: Int = 0) throws -> Int {
        let row = try connection.row(
            "UPDATE piece_total SET bytes = bytes + $1, number = number + $2 RETURNING number",
            bytes,
            publications
        )
        guard let number = try row?.integer("number") else { throw PieceFields.damaged() }
        return number
    }
}
