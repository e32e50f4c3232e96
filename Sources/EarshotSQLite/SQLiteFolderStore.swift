public import EarshotCore
public import EarshotLibrary
public import Foundation
import GRDB

/// The files of folder libraries in an SQLite database.
///
/// It may be thrown away at any time: what was in it is read anew. What is lost then is which of several files with the same audio
/// was found first.
public final class SQLiteFolderStore: FolderStore, DatabaseStore {
    let name: String
    let database: any DatabaseWriter

    /// Opens a database, or makes one.
    ///
    /// - Parameter url: A file.
    /// - Throws: `storeDamaged` for a file that is no database or of a newer version, `storeUnavailable` when it cannot be
    ///   opened, `writeFailed` when it cannot be made.
    public init(url: URL) throws(EarshotError) {
        // Records that a loss of power takes are read from the files again, so writes need not wait for the disk.
        let configuration = StoreDatabase.configuration(readers: 1, "synchronous = NORMAL")
        name = url.path
        database = try StoreDatabase.pool(at: url, configuration)
        try StoreDatabase.migrate(database, Self.migrator, named: name)
    }

    /// Returns a store in memory, which exists as long as the object.
    ///
    /// - Throws: `internalError` if SQLite lacks a required feature.
    public static func inMemory() throws(EarshotError) -> SQLiteFolderStore {
        let name = "libraries in memory"
        return try SQLiteFolderStore(try StoreDatabase.inMemory(name), name: name)
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
                        path TEXT NOT NULL PRIMARY KEY,
                        size INTEGER NOT NULL,
                        seconds INTEGER NOT NULL, -- since 1970, when it was changed
                        nanoseconds INTEGER NOT NULL,
                        node INTEGER NOT NULL,
                        reading TEXT NOT NULL, -- how it was read
                        audio BLOB, -- 16 bytes; absent where it could not be read
                        is_copy INTEGER NOT NULL,
                        item BLOB, -- JSON
                        code TEXT,
                        message TEXT
                    ) STRICT, WITHOUT ROWID;
                    """
            )
        }
        return migrator
    }

    /// Returns the facts of every file that a scan compares, in the order of the bytes of their paths.
    public func known() async throws(EarshotError) -> [KnownFile] {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT path, size, seconds, nanoseconds, node, reading, audio, is_copy FROM file ORDER BY path"
            )
            var files: [KnownFile] = []
            while let row = try rows.next() {
                files.append(
                    KnownFile(
                        path: row[0],
                        stamp: Self.stamp(row),
                        reading: row[5],
                        audio: Self.audio(row),
                        isCopy: row[7]
                    )
                )
            }
            return files
        }
    }

    /// Returns the records of paths.
    public func files(at paths: [String]) async throws(EarshotError) -> [FolderFile] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT path, size, seconds, nanoseconds, node, reading, audio, is_copy, item, code, message
                    FROM file WHERE path = ?
                    """
            )
            let decoder = JSONDecoder()
            return try paths.compactMap { path in
                guard let row = try Row.fetchOne(statement, arguments: [path]) else { return nil }
                let content: FolderFile.Content
                if let item: Data = row[8], let audio = Self.audio(row) {
                    content = .item(try decoder.decode(MusicItem.self, from: item), audio: audio, isCopy: row[7])
                } else {
                    content = .failure(code: row[9] ?? "internalError", message: row[10] ?? "")
                }
                return FolderFile(path: path, stamp: Self.stamp(row), reading: row[5], content: content)
            }
        }
    }

    private static func stamp(_ row: Row) -> FileStamp {
        let node: Int64 = row[4]
        return FileStamp(size: row[1], seconds: row[2], nanoseconds: row[3], node: UInt64(bitPattern: node))
    }

    private static func audio(_ row: Row) -> AudioKey? {
        guard let bytes: Data = row[6], bytes.count == 16 else { return nil }
        func half(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return AudioKey(high: half(bytes.prefix(8)), low: half(bytes.suffix(8)))
    }

    /// Keeps records and forgets others.
    public func keep(_ files: [FolderFile], forgetting paths: [String]) async throws(EarshotError) {
        try await write { database in
            let forget = try database.cachedStatement(sql: "DELETE FROM file WHERE path = ?")
            for path in paths { try forget.execute(arguments: [path]) }
            let statement = try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO file
                        (path, size, seconds, nanoseconds, node, reading, audio, is_copy, item, code, message)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            )
            let encoder = JSONEncoder()
            for file in files {
                var values: [(any DatabaseValueConvertible)?] = [
                    file.path, file.stamp.size, file.stamp.seconds, Int64(file.stamp.nanoseconds),
                    Int64(bitPattern: file.stamp.node), file.reading,
                ]
                switch file.content {
                case .item(let item, let audio, let isCopy):
                    values += [Data(audio.bytes), isCopy, try encoder.encode(item), nil, nil]
                case .failure(let code, let message): values += [nil, false, nil, code, message]
                }
                try statement.execute(arguments: StatementArguments(values))
            }
        }
    }
}
