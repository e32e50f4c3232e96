package import EarshotCore
package import EarshotRecognition
package import Foundation
import GRDB

/// A cache of what was read of a collection's files and answered for them, in an SQLite database.
///
/// It may be deleted at any time: its contents are then read and asked for again. The entries of a file go when the
/// file has changed and is read again.
package final class SQLiteLibraryCache: LibraryCache, DatabaseStore {
    let name: String
    let database: any DatabaseWriter

    /// Opens a database, or makes one.
    ///
    /// - Parameter url: A file.
    /// - Throws: `storeDamaged` for a file that is no database or of a newer version, `storeUnavailable` when it cannot be
    ///   opened, `writeFailed` when it cannot be made.
    package init(url: URL) throws(EarshotError) {
        // Entries that a loss of power takes are read again, so writes need not wait for the disk.
        let configuration = StoreDatabase.configuration(readers: 1, "synchronous = NORMAL")
        let database = try StoreDatabase.pool(at: url, configuration)
        self.name = url.path
        self.database = database
        try StoreDatabase.migrate(database, Self.migrator, named: name)
        let oldest = Date().timeIntervalSince1970 - 90 * 86_400
        try StoreDatabase.guarding(name) {
            try database.write { try $0.execute(sql: "DELETE FROM answer WHERE kept < ?", arguments: [oldest]) }
        }
    }

    /// Returns a cache in memory, which exists as long as the object.
    ///
    /// - Throws: `internalError` if SQLite lacks a required feature.
    package static func inMemory() throws(EarshotError) -> SQLiteLibraryCache {
        let name = "a cache in memory"
        return try SQLiteLibraryCache(try StoreDatabase.inMemory(name), name: name)
    }

    private init(_ database: any DatabaseWriter, name: String) throws(EarshotError) {
        self.name = name
        self.database = database
        try StoreDatabase.migrate(database, Self.migrator, named: name)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE file (
                        name TEXT NOT NULL, -- the whole path
                        evidence INTEGER NOT NULL,
                        size INTEGER NOT NULL,
                        modified INTEGER NOT NULL, -- nanoseconds since 1970
                        attributes BLOB NOT NULL, -- JSON
                        PRIMARY KEY (name, evidence)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE answer (
                        key TEXT PRIMARY KEY, -- the files of a group with their stamps, and who was asked
                        decisions BLOB NOT NULL, -- JSON
                        kept REAL NOT NULL -- seconds since 1970
                    ) STRICT;
                    """
            )
        }
        // Before this version, files had paths relative to a top folder, so those of different collections could be confused.
        migrator.registerMigration("2") { try $0.execute(sql: "DELETE FROM file; DELETE FROM answer") }
        return migrator
    }

    // MARK: - Files

    /// Returns the attributes of files that have not changed since they were read, by their paths.
    package func attributes(
        of files: [FileCacheKey],
        evidence: AlbumEvidence
    ) async throws(EarshotError) -> [String: FileAttributes] {
        let rows = try await read { database in
            let statement = try database.cachedStatement(
                // An entry that was read with more evidence serves too.
                sql: """
                    SELECT attributes FROM file
                    WHERE name = ? AND evidence & ? = ? AND size = ? AND modified = ? LIMIT 1
                    """
            )
            return try files.compactMap { file -> (String, Data)? in
                try Data.fetchOne(
                    statement,
                    arguments: [file.file, evidence.rawValue, evidence.rawValue, file.size, file.modified]
                ).map { (file.file, $0) }
            }
        }
        var known: [String: FileAttributes] = [:]
        let decoder = JSONDecoder()
        for (file, row) in rows {
            // Entries of another version are ignored, and read anew.
            guard let attributes = try? decoder.decode(FileAttributes.self, from: row) else { continue }
            known[file] = attributes.limited(to: evidence)
        }
        return known
    }

    /// Keeps what was read of files.
    package func keep(
        _ attributes: [(FileCacheKey, FileAttributes)],
        evidence: AlbumEvidence
    ) async throws(EarshotError) {
        guard !attributes.isEmpty else { return }
        try await write { database in
            let encoder = JSONEncoder()
            for (stamp, attributes) in attributes {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        stamp.file, evidence.rawValue, stamp.size, stamp.modified, try encoder.encode(attributes),
                    ]
                )
            }
        }
    }

    // MARK: - Answers

    /// Returns the decisions for a group that has not changed since; `nil` if there are none.
    package func decisions(of group: GroupKey) async throws(EarshotError) -> [FileDecision]? {
        let row = try await read { database in
            try Data.fetchOne(database, sql: "SELECT decisions FROM answer WHERE key = ?", arguments: [group.text])
        }
        return row.flatMap { try? JSONDecoder().decode([FileDecision].self, from: $0) }
    }

    /// Keeps what was answered for a group, for ninety days.
    package func keep(_ decisions: [FileDecision], for group: GroupKey) async throws(EarshotError) {
        let now = Date().timeIntervalSince1970
        try await write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO answer VALUES (?, ?, ?)",
                arguments: [group.text, try JSONEncoder().encode(decisions), now]
            )
        }
    }
}
