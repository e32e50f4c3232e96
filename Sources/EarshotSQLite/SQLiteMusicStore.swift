public import EarshotCore
public import EarshotMetadata
public import Foundation
import GRDB

/// Artists, albums and tracks in an SQLite database: one file, no server.
///
/// Reading goes on while something is written. A change is on the disk when ``apply(_:)`` returns.
public final class SQLiteMusicStore: MusicStore {
    /// What a damaged or full disk, or another program, made impossible, is told with this name.
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
        let pool = try Self.guarding(name) {
            try DatabasePool(path: url.path, configuration: Self.configuration)
        }
        try self.init(pool, name: name)
    }

    /// A store in memory, gone with the object.
    ///
    /// - Throws: `internalError` when SQLite lacks what is needed.
    public static func inMemory() throws(EarshotError) -> SQLiteMusicStore {
        let queue = try guarding("a store in memory") { try DatabaseQueue(configuration: configuration) }
        return try SQLiteMusicStore(queue, name: "a store in memory")
    }

    private init(_ database: any DatabaseWriter, name: String) throws(EarshotError) {
        self.name = name
        self.database = database
        try Self.guarding(name) {
            let migrator = MusicSchema.migrator
            if try database.read(migrator.hasBeenSuperseded) {
                throw EarshotError(
                    .storeDamaged,
                    "\(name) was made by a newer version of this program: use that one, or another file."
                )
            }
            try migrator.migrate(database)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            // What was acknowledged outlives a loss of power.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA cache_size = -16000")
        }
        return configuration
    }

    // MARK: - Errors

    /// Runs something that SQLite may refuse.
    static func guarding<Value>(_ name: String, _ body: () throws -> Value) throws(EarshotError) -> Value {
        do {
            return try body()
        } catch {
            throw mapped(error, name)
        }
    }

    /// Reads, on a thread of SQLite's own.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EarshotError) -> Value {
        do {
            return try await database.read(body)
        } catch {
            throw Self.mapped(error, name)
        }
    }

    /// Writes all or nothing, on a thread of SQLite's own.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EarshotError) -> Value {
        do {
            return try await database.write(body)
        } catch {
            throw Self.mapped(error, name)
        }
    }

    static func mapped(_ error: any Error, _ name: String) -> EarshotError {
        switch error {
        case let error as EarshotError: return error
        case is CancellationError: return EarshotError(.cancelled, "Working with \(name) was cancelled.")
        case let error as DatabaseError:
            let (code, remedy): (EarshotError.Code, String) =
                switch error.resultCode {
                case .SQLITE_CORRUPT, .SQLITE_NOTADB: (.storeDamaged, "restore it from a backup")
                case .SQLITE_FULL: (.writeFailed, "make room on the disk")
                case .SQLITE_IOERR, .SQLITE_READONLY: (.writeFailed, "check the folder, its rights, and the disk")
                case .SQLITE_BUSY, .SQLITE_LOCKED: (.storeUnavailable, "another program holds it; try again")
                case .SQLITE_CANTOPEN: (.storeUnavailable, "check that its folder is there and may be written")
                case .SQLITE_INTERRUPT, .SQLITE_ABORT: (.cancelled, "the work was cancelled")
                default: (.internalError, "report this")
                }
            return EarshotError(code, "\(name): \(error.message ?? "SQLite failed"): \(remedy).", cause: error)
        default:
            return EarshotError(.internalError, "\(name) could not be used.", cause: error)
        }
    }
}
