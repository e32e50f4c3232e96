import EarshotBroadcast
package import EarshotCore
package import Foundation
import GRDB

/// A log of plays in an SQLite database: one file, no server.
///
/// Only its owner can read the file. Reading goes on while something is written, and several programs may use one file: changes
/// are numbered in the order in which they become visible. What was written outlives a loss of power.
package final class SQLitePlaylogStore: PlaylogStore, DatabaseStore {
    let name: String
    let database: any DatabaseWriter

    /// Opens a database, or makes one with the folders that lead to it.
    ///
    /// - Parameter url: A file; beside it SQLite keeps two more, with `-wal` and `-shm` behind its name.
    /// - Throws: `storeDamaged` for a file that is no log of plays or of a newer version, `storeUnavailable` when it cannot be
    ///   opened, `writeFailed` when it cannot be made.
    package convenience init(url: URL) throws(EarshotError) {
        let name = url.path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder.boolValue {
            throw EarshotError(.storeUnavailable, "\(name) is a folder: name a file in it.")
        }
        do {
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder of \(name) cannot be made: check the path and its rights.",
                cause: error
            )
        }
        try self.init(try StoreDatabase.pool(at: url), name: name)
    }

    /// Returns a store in memory, which exists as long as the object.
    ///
    /// - Throws: `internalError` if SQLite lacks a required feature.
    package static func inMemory() throws(EarshotError) -> SQLitePlaylogStore {
        let name = "a log of plays in memory"
        return try SQLitePlaylogStore(try StoreDatabase.inMemory(name), name: name)
    }

    private init(_ database: any DatabaseWriter, name: String) throws(EarshotError) {
        self.name = name
        self.database = database
        try StoreDatabase.guarding(name) { try database.write { try PlaylogSchema.check($0, name) } }
        try StoreDatabase.migrate(database, PlaylogSchema.migrator, named: name)
    }

    // MARK: - Care

    /// Copies the log to a file that is not there yet, while it is used.
    ///
    /// - Parameters:
    ///   - url: The file; only its owner can read it.
    ///   - progress: Told which share is done.
    /// - Throws: `destinationExists`, `writeFailed`, `storeDamaged`, `cancelled`.
    package func backup(
        to url: URL,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(EarshotError) {
        try await StoreDatabase.backup(database, to: url, progress: progress)
    }

    // MARK: - Consumers

    /// Returns the last number that a consumer has read.
    package func position(of consumer: String) async throws(EarshotError) -> Int? {
        try await read { database in
            try Int.fetchOne(database, sql: "SELECT position FROM consumer WHERE name = ?", arguments: [consumer])
        }
    }

    /// Keeps the last number that a consumer has read.
    package func setPosition(_ sequence: Int, of consumer: String) async throws(EarshotError) {
        try checkConsumer(consumer)
        try await write { database in
            let position = min(max(0, sequence), try PlaylogRowWriter.lastSequence(database))
            try database.execute(
                sql: "INSERT INTO consumer VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position",
                arguments: [consumer, position]
            )
        }
    }

    /// Forgets a consumer.
    @discardableResult
    package func removeConsumer(_ consumer: String) async throws(EarshotError) -> Bool {
        try await write { database in
            try database.execute(sql: "DELETE FROM consumer WHERE name = ?", arguments: [consumer])
            return database.changesCount > 0
        }
    }

    /// Returns all consumers, and the last number that each has read.
    package func consumers() async throws(EarshotError) -> [String: Int] {
        try await read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT name, position FROM consumer")
            return rows.reduce(into: [:]) { $0[$1["name"]] = $1["position"] }
        }
    }
}
