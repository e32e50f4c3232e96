public import EarshotCore
public import EarshotMusic
public import Foundation
import GRDB

/// Artists, albums and tracks in an SQLite database: one file, no server.
///
/// Reading goes on while something is written. A change is on the disk when ``apply(_:)`` returns.
public final class SQLiteMusicStore: MusicStore, DatabaseStore {
    /// The store's name in the messages of errors, such as those of a damaged or full disk.
    let name: String
    let database: any DatabaseWriter

    /// Opens a database, or makes one.
    ///
    /// - Parameter url: A file; beside it SQLite keeps two more, with `-wal` and `-shm` behind its name.
    /// - Throws: `storeDamaged` for a file that is no database or of a newer version, `storeUnavailable` when it cannot be
    ///   opened, `writeFailed` when it cannot be made.
    public convenience init(url: URL) throws(EarshotError) {
        let name = url.path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder.boolValue {
            throw EarshotError(.storeUnavailable, "\(name) is a folder: name a file in it.")
        }
        let pool = try StoreDatabase.guarding(name) {
            try StoreDatabase.openPool(at: url, Self.configuration)
        }
        try self.init(pool, name: name)
    }

    /// Returns a store in memory, which exists as long as the object.
    ///
    /// - Throws: `internalError` if SQLite lacks a required feature.
    public static func inMemory() throws(EarshotError) -> SQLiteMusicStore {
        let name = "a store in memory"
        return try SQLiteMusicStore(try StoreDatabase.inMemory(name, configuration), name: name)
    }

    private init(_ database: any DatabaseWriter, name: String) throws(EarshotError) {
        self.name = name
        self.database = database
        try StoreDatabase.migrate(database, MusicSchema.migrator, named: name)
    }

    private static var configuration: Configuration { StoreDatabase.configuration("cache_size = -16000") }

}
