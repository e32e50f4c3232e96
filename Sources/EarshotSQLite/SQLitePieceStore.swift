package import EarshotCore
package import EarshotPieces
package import Foundation
import GRDB

/// Pieces, their authors and the apps that open them in an SQLite database: one file, no server.
///
/// The service and the operator's commands may have it open at the same time.
package final class SQLitePieceStore: PieceStore, DatabaseStore {
    let name: String
    let database: any DatabaseWriter

    /// Opens a database, or makes one that only its owner may read.
    ///
    /// - Parameter url: A file; beside it SQLite keeps two more, with `-wal` and `-shm` behind its name.
    /// - Throws: `storeDamaged` for a file that holds no pieces, is damaged or of a newer version, `storeUnavailable` when it cannot be
    ///   opened, `writeFailed` when it cannot be made.
    package convenience init(url: URL) throws(EarshotError) {
        try self.init(try StoreDatabase.pool(at: url), name: url.path)
    }

    /// Returns a store in memory, which exists as long as the object.
    ///
    /// - Throws: `internalError` if SQLite lacks a required feature.
    package static func inMemory() throws(EarshotError) -> SQLitePieceStore {
        let name = "pieces in memory"
        return try SQLitePieceStore(try StoreDatabase.inMemory(name), name: name)
    }

    private init(_ database: any DatabaseWriter, name: String) throws(EarshotError) {
        self.name = name
        self.database = database
        try StoreDatabase.guarding(name) { try database.read { try PieceSchema.check($0, name) } }
        try StoreDatabase.migrate(database, PieceSchema.migrator, named: name)
    }
}

// MARK: - Pieces

extension SQLitePieceStore {
    /// Returns a piece, in any state; `nil` if there never was one of this identifier.
    package func piece(_ id: PieceID) async throws(EarshotError) -> PieceRecord? {
        try await read { try PieceRows.piece($0, id) }
    }

    /// Returns the existing ones of some pieces, in any state.
    package func pieces(_ ids: [PieceID]) async throws(EarshotError) -> [PieceID: PieceRecord] {
        try await read { database in
            var found: [PieceID: PieceRecord] = [:]
            for id in Set(ids) { found[id] = try PieceRows.piece(database, id) }
            return found
        }
    }

    /// Returns the piece that a part belongs to.
    package func piece(withPart id: String) async throws(EarshotError) -> PieceRecord? {
        try await read(by: id) { database in
            try Row.fetchOne(
                database,
                sql:
                    "SELECT \(PieceRows.columns) FROM piece WHERE pk = (SELECT piece FROM piece_part WHERE id = ?)",
                arguments: [id]
            ).map { try PieceRows.record(database, $0) }
        }
    }

    /// Keeps a piece that begins.
    package func add(_ piece: PieceRecord, within limits: PieceLimits) async throws(EarshotError) {
        try ProvenanceGraph.check(piece.id, basedOn: piece.basedOn)
        try await write { database in
            guard try PieceRows.key(database, piece.id) == nil else { throw EarshotError.pieceExists(piece.id) }
            for parent in piece.basedOn {
                let state = try String.fetchOne(
                    database,
                    sql: "SELECT state FROM piece WHERE id = ?",
                    arguments: [parent.description]
                )
                guard let state, state != PieceRecord.State.draft.rawValue else {
                    throw EarshotError.unknownParent(parent, of: piece.id)
                }
            }
            try database.execute(
                sql: """
                    INSERT INTO piece (id, author, state, visibility, begun, words, length, parents, json)
                    VALUES (?, ?, ?, ?, ?, '', 0, ?, '')
                    """,
                arguments: [
                    piece.id.description, piece.author, piece.state.rawValue, piece.visibility.rawValue,
                    piece.begun.timeIntervalSince1970, try PieceFields.text(piece.basedOn),
                ]
            )
            try PieceRows.write(database, piece, over: database.lastInsertedRowID)
            if limits != .unlimited { try limits.check(try PieceRows.usage(database, ofAuthor: piece.author)) }
        }
    }

    /// Changes a piece that is not removed, as one step that nobody else's change comes between.
    package func update(
        _ id: PieceID,
        within limits: PieceLimits,
        _ body: @escaping @Sendable (inout PieceRecord) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceRecord? {
        try await write { database in
            guard let key = try PieceRows.key(database, id), var piece = try PieceRows.piece(database, id),
                piece.state != .removed
            else { return nil }
            let size = piece.size
            try body(&piece)
            try PieceRows.write(database, piece, over: key)
            if limits != .unlimited, piece.size > size {
                try limits.check(try PieceRows.usage(database, ofAuthor: piece.author))
            }
            return piece
        }
    }

    /// Removes a piece: of one that was published a stub stays, with its relations; of another one nothing.
    @discardableResult
    package func remove(
        _ id: PieceID,
        where condition: @escaping @Sendable (PieceRecord) -> Bool
    ) async throws(EarshotError) -> PieceRecord? {
        try await write { database in
            guard let key = try PieceRows.key(database, id), let piece = try PieceRows.piece(database, id),
                piece.state != .removed, condition(piece)
            else { return nil }
            try PieceRows.remove(database, piece, key)
            return piece
        }
    }

    /// Returns published pieces, the one published last first.
    package func pieces(_ query: PieceSearch) async throws(EarshotError) -> (pieces: [PieceRecord], total: Int) {
        let condition = PieceCondition(query)
        let page = try await read { database in
            let total =
                try Int.fetchOne(
                    database,
                    sql: "SELECT count(*) FROM piece WHERE \(condition.sql)",
                    arguments: condition.arguments
                ) ?? 0
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(PieceRows.columns) FROM piece WHERE \(condition.sql) ORDER BY number DESC LIMIT ? OFFSET ?
                    """,
                arguments: condition.arguments + [max(0, query.limit), max(0, query.offset)]
            )
            return Page(pieces: try rows.map { try PieceRows.record(database, $0) }, total: total)
        }
        return (page.pieces, page.total)
    }

    private struct Page: Sendable {
        let pieces: [PieceRecord]
        let total: Int
    }

    /// Returns the pieces that were begun before an instant and are not published.
    package func drafts(begunBefore date: Date) async throws(EarshotError) -> [PieceID] {
        try await identifiers(
            "SELECT id FROM piece WHERE state = 'draft' AND begun < ? ORDER BY begun",
            [date.timeIntervalSince1970]
        )
    }

    /// Returns the bytes of pieces, of an author and of all.
    package func usage(ofAuthor author: String) async throws(EarshotError) -> PieceUsage {
        try await read { try PieceRows.usage($0, ofAuthor: author) }
    }

    /// Returns published pieces of which an object store does not have all parts.
    package func pieces(notKeptIn store: String) async throws(EarshotError) -> Set<PieceID> {
        Set(
            try await identifiers(
                """
                SELECT DISTINCT p.id FROM piece p JOIN piece_part t ON t.piece = p.pk
                WHERE p.state = 'published' AND json_extract(t.json, '$.keptIn') IS NOT ?
                """,
                [store]
            )
        )
    }

    // MARK: - Discarded parts

    /// Says that a part is to be removed from an instant on, unless a piece has it by then.
    package func discard(_ part: DiscardedPart, from date: Date) async throws(EarshotError) {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO discarded_part (part, piece, due) VALUES (?, ?, ?)
                    ON CONFLICT (part) DO UPDATE SET due = excluded.due
                    """,
                arguments: [part.part, part.piece.description, date.timeIntervalSince1970]
            )
        }
    }

    /// Returns discarded parts that are due to be removed and that no piece has.
    package func discarded(at now: Date, limit: Int) async throws(EarshotError) -> [DiscardedPart] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT part, piece FROM discarded_part
                    WHERE due <= ? AND part NOT IN (SELECT id FROM piece_part) ORDER BY part LIMIT ?
                    """,
                arguments: [now.timeIntervalSince1970, max(0, limit)]
            )
            return rows.compactMap { row in
                PieceID(row["piece"] as String).map { DiscardedPart(part: row["part"], piece: $0) }
            }
        }
    }

    /// Forgets parts whose bytes have been removed.
    package func disposed(of parts: [DiscardedPart]) async throws(EarshotError) {
        try await write { database in
            for part in parts {
                try database.execute(sql: "DELETE FROM discarded_part WHERE part = ?", arguments: [part.part])
            }
        }
    }

    /// Returns the identifiers of all pieces in a state.
    package func identifiers(_ states: Set<PieceRecord.State>) async throws(EarshotError) -> Set<PieceID> {
        let names = "[" + states.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
        return Set(
            try await identifiers("SELECT id FROM piece WHERE state IN (SELECT value FROM json_each(?))", [names])
        )
    }

    private func identifiers(_ sql: String, _ arguments: StatementArguments) async throws(EarshotError) -> [PieceID] {
        try await read { try String.fetchAll($0, sql: sql, arguments: arguments).compactMap { PieceID($0) } }
    }

    // MARK: - Relations

    /// Returns the ancestors of a piece, the nearest first, and in the order in which parents were named.
    package func ancestors(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative] {
        let next = """
            SELECT p.pk, p.id, p.state FROM piece_parent r JOIN piece p ON p.pk = r.parent
            WHERE r.piece = ? ORDER BY r.place LIMIT ?
            """
        return try await read { try PieceRows.relatives($0, of: id, limit: limit, next: next) }
    }

    /// Returns the published descendants of a piece, the nearest first, and in the order in which they were added.
    package func descendants(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative] {
        let next = """
            SELECT p.pk, p.id, p.state FROM piece_parent r JOIN piece p ON p.pk = r.piece
            WHERE r.parent = ? ORDER BY p.number LIMIT ?
            """
        return try await read { try PieceRows.relatives($0, of: id, limit: limit, next: next) }
    }

    // MARK: - Findings

    /// Returns the findings in the audio of a piece; `nil` if there are none.
    package func findings(of id: PieceID) async throws(EarshotError) -> Data? {
        try await read { database in
            try Data.fetchOne(
                database,
                sql: "SELECT findings FROM piece WHERE id = ? AND findings IS NOT NULL",
                arguments: [id.description]
            )
        }
    }

    /// Keeps what was heard in a piece that is published.
    package func setFindings(_ findings: Data?, isQuoting: Bool, of id: PieceID) async throws(EarshotError) {
        try await write { database in
            try database.execute(
                sql: "UPDATE piece SET findings = ?, quoting = ? WHERE id = ? AND state = 'published'",
                arguments: [findings, findings != nil && isQuoting, id.description]
            )
        }
    }

    /// Returns the published pieces that were analyzed.
    package func heard() async throws(EarshotError) -> Set<PieceID> {
        try await read { database in
            let names = try String.fetchAll(
                database,
                sql: "SELECT id FROM piece WHERE state = 'published' AND findings IS NOT NULL"
            )
            return Set(names.compactMap { PieceID($0) })
        }
    }

    /// Returns published pieces that were not analyzed yet, one of each author.
    package func unheard(
        excluding excluded: Set<PieceID>,
        limit: Int
    ) async throws(EarshotError) -> [(author: String, piece: PieceID)] {
        let names = try StoreDatabase.guarding(name) { try PieceFields.text(excluded.map(\.description)) }
        return try await read { database in
            // With `min`, SQLite takes the other columns from the row with the minimum. Another plan would scan all pieces by author.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT author, id, min(number) AS first FROM piece INDEXED BY piece_unheard
                    WHERE state = 'published' AND findings IS NULL AND id NOT IN (SELECT value FROM json_each(?))
                    GROUP BY author ORDER BY first LIMIT ?
                    """,
                arguments: [names, max(0, limit)]
            )
            return rows.compactMap { row in PieceID(row["id"] as String).map { (row["author"], $0) } }
        }
    }
}
