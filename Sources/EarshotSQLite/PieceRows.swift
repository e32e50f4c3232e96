import EarshotCore
import EarshotPieces
import Foundation
import GRDB

/// Reads and writes pieces as rows.
enum PieceRows {
    static let columns = "pk, id, author, state, visibility, begun, published, parents, json"

    // MARK: - Reading

    static func key(_ database: Database, _ id: PieceID) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT pk FROM piece WHERE id = ?", arguments: [id.description])
    }

    static func piece(_ database: Database, _ id: PieceID) throws -> PieceRecord? {
        try Row.fetchOne(
            database,
            sql: "SELECT \(columns) FROM piece WHERE id = ?",
            arguments: [id.description]
        ).map { try record(database, $0) }
    }

    static func record(_ database: Database, _ row: Row) throws -> PieceRecord {
        let parts = try String.fetchAll(
            database,
            sql: "SELECT json FROM piece_part WHERE piece = ? ORDER BY place",
            arguments: [row["pk"] as Int64]
        )
        return try PieceRecord(
            id: row["id"],
            author: row["author"],
            state: row["state"],
            visibility: row["visibility"],
            parents: row["parents"],
            begun: row["begun"],
            published: row["published"],
            json: row["json"],
            parts: try parts.map { try PieceFields.value(StoredPart.self, $0) }
        )
    }

    /// Returns the bytes of pieces, of an author and of all.
    static func usage(_ database: Database, ofAuthor author: String) throws -> PieceUsage {
        func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
            try Int.fetchOne(database, sql: sql, arguments: arguments) ?? 0
        }
        var usage = PieceUsage()
        usage.drafts = try number("SELECT count(*) FROM piece WHERE state = 'draft' AND author = ?", [author])
        usage.authorBytes = try number(
            """
            SELECT sum(json_extract(t.json, '$.size')) FROM piece p JOIN piece_part t ON t.piece = p.pk WHERE p.author = ?
            """,
            [author]
        )
        usage.totalBytes = try number("SELECT bytes FROM piece_total")
        // Drafts are few: each author has so many, and none is older than a day.
        let announced = try Row.fetchCursor(
            database,
            sql: """
                SELECT p.author, sum(json_extract(t.json, '$.size')) AS bytes FROM piece p JOIN piece_part t ON t.piece = p.pk
                WHERE p.state = 'draft' AND NOT json_extract(t.json, '$.isComplete') GROUP BY p.author
                """
        )
        while let row = try announced.next() {
            let bytes: Int = row["bytes"]
            guard bytes > 0 else { continue }
            usage.announcers += 1
            usage.totalAnnounced += bytes
            if row["author"] == author { usage.authorAnnounced = bytes }
        }
        return usage
    }

    // MARK: - Writing

    /// Replaces the row of a piece.
    static func write(_ database: Database, _ piece: PieceRecord, over key: Int64) throws {
        let fields = try PieceFields(piece)
        var (mask, root): (Int?, Int?) = (nil, nil)
        if case .tonal(let scale, let pitch)? = fields.tonality { (mask, root) = (Int(scale.rawValue), pitch.rawValue) }
        try database.execute(
            sql: """
                UPDATE piece SET state = ?, visibility = ?, published = ?, words = ?, tempo = ?, length = ?, mask = ?, root = ?, json = ?
                WHERE pk = ?
                """,
            arguments: [
                fields.state, fields.visibility, fields.published, fields.words, fields.tempo, fields.length, mask,
                root, fields.json, key,
            ]
        )
        try discard(database, piece.id, key, keeping: piece.parts.map(\.id))
        try database.execute(sql: "DELETE FROM piece_part WHERE piece = ?", arguments: [key])
        for (place, part) in piece.parts.enumerated() {
            try database.execute(
                sql: "INSERT INTO piece_part (id, piece, place, json) VALUES (?, ?, ?, ?)",
                arguments: [part.id, key, place, try PieceFields.text(part)]
            )
        }
        if piece.state == .published { try publish(database, piece, key) }
    }

    /// Removes a piece. A published one leaves a stub with its relations, a draft leaves nothing.
    static func remove(_ database: Database, _ piece: PieceRecord, _ key: Int64) throws {
        if piece.state == .published {
            try write(database, piece.stub, over: key)
            try database.execute(sql: "UPDATE piece SET findings = NULL, quoting = 0 WHERE pk = ?", arguments: [key])
        } else {
            try discard(database, piece.id, key, keeping: [])
            try database.execute(sql: "DELETE FROM piece WHERE pk = ?", arguments: [key])
        }
    }

    /// Discards the parts of a piece except those that are kept.
    static func discard(_ database: Database, _ id: PieceID, _ key: Int64, keeping parts: [String]) throws {
        try database.execute(
            sql: """
                INSERT INTO discarded_part (part, piece, due)
                SELECT id, ?, 0 FROM piece_part WHERE piece = ? AND id NOT IN (SELECT value FROM json_each(?))
                ON CONFLICT (part) DO UPDATE SET due = 0
                """,
            arguments: [id.description, key, try PieceFields.text(parts)]
        )
    }

    /// Gives a newly published piece its number.
    private static func publish(_ database: Database, _ piece: PieceRecord, _ key: Int64) throws {
        try database.execute(
            sql: """
                UPDATE piece SET number = (SELECT coalesce(max(number), 0) + 1 FROM piece) WHERE pk = ? AND number IS NULL
                """,
            arguments: [key]
        )
        guard database.changesCount > 0 else { return }
        for (place, parent) in piece.basedOn.enumerated() {
            guard let parent = try self.key(database, parent) else { throw PieceFields.damaged() }
            try database.execute(
                sql: "INSERT INTO piece_parent (piece, place, parent) VALUES (?, ?, ?)",
                arguments: [key, place, parent]
            )
        }
    }

    // MARK: - Relations

    /// Returns the relatives of a piece, level by level.
    ///
    /// One step at a time, and each piece once: a query that follows every path would not end in a dense graph.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - id: The piece.
    ///   - limit: The largest number of relatives.
    ///   - next: SQL for the pieces one step from a piece, in order. Its arguments are the key of the piece and the most rows.
    static func relatives(
        _ database: Database,
        of id: PieceID,
        limit: Int,
        next: String
    ) throws -> [ProvenanceGraph.Relative] {
        guard let start = try key(database, id) else { return [] }
        var found: [ProvenanceGraph.Relative] = []
        var seen: Set<Int64> = [start]
        var edge = [start]
        var distance = 1
        while !edge.isEmpty {
            var further: [Int64] = []
            for origin in edge {
                guard found.count < limit else { return found }
                // Each row leads to a new relative, for which there must be room, or to one that was seen: more rows need not be read.
                let statement = try database.cachedStatement(sql: next)
                let (room, isEndless) = (limit - found.count).addingReportingOverflow(seen.count)
                let rows = try Row.fetchAll(statement, arguments: [origin, isEndless ? .max : room])
                for row in rows {
                    let key: Int64 = row["pk"]
                    guard seen.insert(key).inserted else { continue }
                    guard found.count < limit else { return found }
                    guard let id = PieceID(row["id"] as String) else { throw PieceFields.damaged() }
                    let state: String = row["state"]
                    found.append(
                        ProvenanceGraph.Relative(
                            id: id,
                            distance: distance,
                            isRemoved: state == PieceRecord.State.removed.rawValue
                        )
                    )
                    further.append(key)
                }
            }
            (edge, distance) = (further, distance + 1)
        }
        return found
    }
}
