package import EarshotCore
package import EarshotRecognition
package import Foundation
import GRDB
import Synchronization

/// A history in an SQLite database: one file, no server.
///
/// The file, and the folders that lead to it, are made when the first entry is added, and again when somebody has removed them
/// meanwhile; where there is none, the history is empty. Only its owner can read it. What is removed is overwritten. Several
/// programs may use one file; an entry is on the disk when it has been added.
package final class SQLiteHistoryStore: HistoryStore {
    private enum Place {
        case memory(any DatabaseWriter)
        case file(URL)
    }

    /// The open file and its identity, which shows that the path leads to another file by now: a removed file stays usable without a name.
    private struct Opened {
        let database: any DatabaseWriter
        let identity: DatabaseFileIdentity
    }

    private let name: String
    private let place: Place
    private let limit: Int
    private let opened = Mutex<Opened?>(nil)

    /// A history in a file. Nothing is opened or made yet.
    ///
    /// - Parameters:
    ///   - url: The file; beside it SQLite keeps two more, with `-wal` and `-shm` behind its name.
    ///   - limit: The most entries to keep, at least one.
    package init(url: URL, limit: Int = HistoryEntry.maximumCount) {
        name = url.path
        place = .file(url)
        self.limit = max(1, limit)
    }

    /// Returns a history in memory, which exists as long as the object.
    ///
    /// - Parameter limit: The most entries to keep, at least one.
    /// - Throws: `internalError` if SQLite lacks a required feature.
    package static func inMemory(limit: Int = HistoryEntry.maximumCount) throws(EarshotError) -> SQLiteHistoryStore {
        let name = "a history in memory"
        let queue = try StoreDatabase.guarding(name) {
            let queue = try DatabaseQueue(configuration: configuration)
            try queue.write { try HistorySchema.prepare($0, name) }
            return queue
        }
        return SQLiteHistoryStore(queue, name: name, limit: limit)
    }

    private init(_ database: any DatabaseWriter, name: String, limit: Int) {
        self.name = name
        place = .memory(database)
        self.limit = max(1, limit)
    }

    /// The settings of the database. With `secure_delete`, removed entries cannot be read from the file.
    private static var configuration: Configuration { StoreDatabase.configuration(readers: 2, "secure_delete = ON") }

    // MARK: - Opening

    /// Returns the database; `nil` if there is none and `isMade` is `false`.
    private func database(isMade: Bool) async throws(EarshotError) -> (any DatabaseWriter)? {
        guard case .file(let url) = place else {
            if case .memory(let database) = place { return database }
            return nil
        }
        let identity = DatabaseFileIdentity(url)
        if let identity, let open = opened.withLock({ $0 }), open.identity == identity { return open.database }
        guard isMade || identity != nil else { return nil }
        return try await BlockingWork.run { [self] () throws(EarshotError) in try open(url) }
    }

    private func open(_ url: URL) throws(EarshotError) -> any DatabaseWriter {
        try opened.withLock { opened throws(EarshotError) in
            // Another caller may have opened it while this one waited for the lock.
            if let identity = DatabaseFileIdentity(url), let opened, opened.identity == identity {
                return opened.database
            }
            opened = nil
            try Self.make(url)
            let name = name
            let pool = try StoreDatabase.guarding(name) {
                let pool = try StoreDatabase.openPool(at: url, Self.configuration)
                try pool.write { try HistorySchema.prepare($0, name) }
                return pool
            }
            guard let identity = DatabaseFileIdentity(url) else {
                throw EarshotError(.storeUnavailable, "\(name) is removed again and again: name another file.")
            }
            opened = Opened(database: pool, identity: identity)
            return pool
        }
    }

    /// Creates the folder, and an empty file, which is an empty database, that only its owner can read.
    private static func make(_ url: URL) throws(EarshotError) {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) {
            guard isFolder.boolValue else { return }
            throw EarshotError(.storeUnavailable, "\(url.path) is a folder: name a file in it.")
        }
        do {
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder of \(url.path) cannot be made: check the path and its rights.",
                cause: error
            )
        }
        try StoreDatabase.makeFile(url)
    }

    // MARK: - Reading and writing

    /// Reads, on a thread of SQLite's own; returns `nil` if there is no file.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EarshotError) -> Value? {
        guard let database = try await database(isMade: false) else { return nil }
        do {
            return try await database.read(body)
        } catch {
            throw StoreDatabase.mapped(error, name)
        }
    }

    /// Writes all or nothing, on a thread of SQLite's own.
    private func write<Value: Sendable>(
        isMade: Bool,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EarshotError) -> Value? {
        guard let database = try await database(isMade: isMade) else { return nil }
        do {
            return try await database.write(body)
        } catch {
            throw StoreDatabase.mapped(error, name)
        }
    }
}

// MARK: - The history

extension SQLiteHistoryStore {
    /// Adds what was recognized, and removes the oldest entries beyond the limit.
    package func add(
        _ match: MusicMatch,
        by operation: HistoryEntry.Operation,
        at date: Date,
        place: HistoryPlace?,
        coverArt: HistoryEntry.CoverArt?,
        heard: Double?
    ) async throws(EarshotError) -> HistoryEntry {
        let limit = limit
        let entry = try await write(isMade: true) { database in
            let last = try Int.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'entry'") ?? 0
            let entry = try HistoryEntry(
                id: last + 1,
                match: match,
                operation: operation,
                date: date,
                place: place,
                coverArt: coverArt,
                heard: heard
            )
            try HistoryRow.insert(entry, database)
            // Removed entries leave gaps in the numbers, so the oldest entry to keep must be counted.
            let sql = "DELETE FROM entry WHERE id <= (SELECT id FROM entry ORDER BY id DESC LIMIT 1 OFFSET ?)"
            try database.execute(sql: sql, arguments: [limit])
            return entry
        }
        guard let entry else { throw EarshotError(.internalError, "\(name) was not created: please report this.") }
        return entry
    }

    /// Returns a page of entries with numbers less than `id`, the newest first.
    package func entries(before id: Int?, offset: Int, limit: Int) async throws(EarshotError) -> [HistoryEntry] {
        let arguments: StatementArguments = [id ?? Int.max, max(0, limit), max(0, offset)]
        return try await read { database in
            let sql = "SELECT * FROM entry WHERE id < ? ORDER BY id DESC LIMIT ? OFFSET ?"
            return try Row.fetchAll(database, sql: sql, arguments: arguments).map(HistoryRow.entry)
        } ?? []
    }

    /// Returns an entry; `nil` if there is none of this number.
    package func entry(_ id: Int) async throws(EarshotError) -> HistoryEntry? {
        try await read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM entry WHERE id = ?", arguments: [id]).map(HistoryRow.entry)
        } ?? nil
    }

    /// Returns the number of entries.
    package func count() async throws(EarshotError) -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entry") ?? 0 } ?? 0
    }

    /// Puts a cover with an entry.
    @discardableResult
    package func setCoverArt(_ coverArt: HistoryEntry.CoverArt?, of id: Int) async throws(EarshotError) -> Bool {
        try HistoryEntry.check(coverArt: coverArt)
        return try await change(
            "UPDATE entry SET cover_type = ?, cover = ? WHERE id = ?",
            [coverArt?.mimeType, coverArt?.data, id]
        )
    }

    /// Says how long something was heard, in seconds.
    @discardableResult
    package func setHeard(_ heard: Double?, of id: Int) async throws(EarshotError) -> Bool {
        try HistoryEntry.check(heard: heard)
        return try await change("UPDATE entry SET heard = ? WHERE id = ?", [heard, id])
    }

    /// Removes an entry.
    @discardableResult
    package func remove(_ id: Int) async throws(EarshotError) -> Bool {
        try await change("DELETE FROM entry WHERE id = ?", [id])
    }

    private func change(_ sql: String, _ arguments: StatementArguments) async throws(EarshotError) -> Bool {
        try await write(isMade: false) { database in
            try database.execute(sql: sql, arguments: arguments)
            return database.changesCount > 0
        } ?? false
    }

    /// Removes all entries, and what the log of changes holds of them.
    package func clear() async throws(EarshotError) {
        _ = try await change("DELETE FROM entry", [])
        guard let database = try await database(isMade: false) else { return }
        do {
            try await database.writeWithoutTransaction { database in
                // A reader may prevent this; then the log is overwritten later.
                _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch {
            throw StoreDatabase.mapped(error, name)
        }
    }
}
