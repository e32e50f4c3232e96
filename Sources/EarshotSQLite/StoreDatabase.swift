import EarshotCore
import Foundation
import GRDB

/// The common code of this module's stores: opens databases, maps their failures to errors, and copies them.
enum StoreDatabase {
    // MARK: - Opening

    /// The longest wait for another program that holds the database, in seconds.
    private static let patience = 10

    /// Returns the settings of a database that several programs may use, and whose acknowledged writes survive a loss
    /// of power.
    ///
    /// - Parameters:
    ///   - readers: The most readers at the same time.
    ///   - pragmas: Further settings of each connection.
    static func configuration(readers: Int = 4, _ pragmas: String...) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(TimeInterval(patience))
        configuration.maximumReaderCount = readers
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            for pragma in pragmas { try database.execute(sql: "PRAGMA \(pragma)") }
        }
        return configuration
    }

    /// Opens a database, or creates one that only its owner may read.
    static func pool(at url: URL, _ configuration: Configuration = configuration()) throws(EarshotError) -> DatabasePool
    {
        try makeFile(url)
        return try guarding(url.path) { try openPool(at: url, configuration) }
    }

    /// Opens a database, which SQLite creates if there is none.
    ///
    /// While another program creates it at the same moment, SQLite refuses the change to a write-ahead log at once, in spite of its busy timeout.
    /// So opening is repeated for as long as ``patience``.
    static func openPool(at url: URL, _ configuration: Configuration) throws -> DatabasePool {
        let end = ContinuousClock.now + .seconds(patience)
        while true {
            do {
                return try DatabasePool(path: url.path, configuration: configuration)
            } catch {
                let isBusy = (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
                guard isBusy, ContinuousClock.now < end else { throw error }
                usleep(20_000)
            }
        }
    }

    /// Creates a database in memory, which exists as long as the object.
    static func inMemory(
        _ name: String,
        _ configuration: Configuration = configuration()
    ) throws(EarshotError) -> DatabaseQueue {
        try guarding(name) { try DatabaseQueue(configuration: configuration) }
    }

    /// Brings a database to the form of this version.
    ///
    /// - Throws: `storeDamaged` for one of a newer version.
    static func migrate(
        _ database: any DatabaseWriter,
        _ migrator: DatabaseMigrator,
        named name: String
    ) throws(EarshotError) {
        try guarding(name) {
            if try database.read(migrator.hasBeenSuperseded) {
                throw EarshotError(
                    .storeDamaged,
                    "\(name) was made by a newer version of this program: use that one, or another file."
                )
            }
            // Two programs that open a new file at the same moment run the same migrations. The second one fails, and continues behind
            // those that the other has done.
            while true {
                let before = try database.read(migrator.appliedIdentifiers)
                do {
                    return try migrator.migrate(database)
                } catch {
                    guard try database.read(migrator.appliedIdentifiers) != before else { throw error }
                }
            }
        }
    }

    /// Creates an empty file, which is an empty database, that only its owner can read. SQLite gives the files beside it the same permissions. An
    /// existing file stays.
    static func makeFile(_ url: URL) throws(EarshotError) {
        let descriptor = open(url.path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 || errno == EEXIST else {
            throw EarshotError(.writeFailed, "\(url.path) cannot be made: check the folder and its rights.")
        }
        if descriptor >= 0 { close(descriptor) }
    }

    // MARK: - Texts

    /// Refuses texts with a character U+0000: GRDB binds a text up to there, and another row would be found or changed.
    static func check(_ texts: [String]) throws(EarshotError) {
        guard texts.contains(where: { $0.utf8.contains(0) }) else { return }
        throw EarshotError(.requestInvalid, "The database takes no text with a character U+0000: leave it out.")
    }

    // MARK: - Failures

    /// Runs work on a database, and converts errors of SQLite.
    static func guarding<Value>(_ name: String, _ body: () throws -> Value) throws(EarshotError) -> Value {
        do {
            return try body()
        } catch {
            throw mapped(error, name)
        }
    }

    static func mapped(_ error: any Error, _ name: String) -> EarshotError {
        switch error {
        case let error as EarshotError: return error
        case is CancellationError: return EarshotError(.cancelled, "Working with \(name) was canceled.")
        case let error as DatabaseError:
            let (code, remedy): (EarshotError.Code, String) =
                switch error.resultCode {
                case .SQLITE_CORRUPT, .SQLITE_NOTADB: (.storeDamaged, "restore it from a backup")
                case .SQLITE_FULL: (.writeFailed, "make room on the disk")
                case .SQLITE_IOERR, .SQLITE_READONLY: (.writeFailed, "check the folder, its rights, and the disk")
                case .SQLITE_BUSY, .SQLITE_LOCKED: (.storeUnavailable, "another program holds it; try again")
                case .SQLITE_CANTOPEN: (.storeUnavailable, "check that its folder is there and may be written")
                case .SQLITE_INTERRUPT, .SQLITE_ABORT: (.cancelled, "the work was canceled")
                default: (.internalError, "report this")
                }
            // The backup API reports the message of the wrong one of its two connections: "not an error".
            let said = error.message.flatMap { $0 == "not an error" ? nil : $0 } ?? "SQLite says \(error.resultCode)"
            return EarshotError(code, "\(name): \(said): \(remedy).", cause: error)
        default:
            return EarshotError(
                .internalError,
                "\(name) could not be used: please report this, with the cause.",
                cause: error
            )
        }
    }

    // MARK: - Copies

    /// Copies a database to a new file.
    static func backup(
        _ database: any DatabaseWriter,
        to url: URL,
        progress: (@Sendable (Double) -> Void)?
    ) async throws(EarshotError) {
        guard !FileManager.default.fileExists(atPath: url.path) else { throw AtomicFile.exists(url) }
        let partial = url.appendingPathExtension("partial")
        let name = url.lastPathComponent
        try await BlockingWork.run { () throws(EarshotError) in
            try? FileManager.default.removeItem(at: partial)
            do throws(EarshotError) {
                // The copy may contain keys and histories, so other users must not be able to read it at any time.
                try makeFile(partial)
                try guarding(name) {
                    let copy = try DatabaseQueue(path: partial.path)
                    try database.backup(to: copy, pagesPerStep: 1_000) { step in
                        progress?(1 - Double(step.remainingPageCount) / Double(max(1, step.totalPageCount)))
                    }
                    // Ends write-ahead logging, so that the copy is one file, without the two beside it.
                    try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
                    try copy.close()
                    try FileManager.default.moveItem(at: partial, to: url)
                }
            } catch {
                try? FileManager.default.removeItem(at: partial)
                throw error
            }
        }
    }

    /// Replaces a database by a copy, after checking the copy.
    static func restore(
        _ backup: URL,
        to url: URL,
        faults: @escaping @Sendable (URL) throws(EarshotError) -> [String]
    ) async throws(EarshotError) {
        guard FileManager.default.fileExists(atPath: backup.path) else {
            throw EarshotError(.assetNotFound, "There is no backup at \(backup.path): check the path.")
        }
        let copy = url.appendingPathExtension("restoring")
        try await BlockingWork.run { () throws(EarshotError) in
            try? FileManager.default.removeItem(at: copy)
            do throws(EarshotError) {
                try guarding(backup.lastPathComponent) { try FileManager.default.copyItem(at: backup, to: copy) }
                let faults = try faults(copy)
                for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy.path + suffix) }
                guard faults.isEmpty else {
                    throw EarshotError(
                        .storeDamaged,
                        "\(backup.lastPathComponent) is damaged (\(faults[0])): use another backup."
                    )
                }
                try replace(url, by: copy)
            } catch {
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy.path + suffix) }
                throw error
            }
        }
    }

    /// Renames a copy to the name of a store. All files of the store are moved aside until that is done, because its log may contain changes that
    /// its file does not.
    private static func replace(_ url: URL, by copy: URL) throws(EarshotError) {
        let suffixes = ["-wal", "-shm", ""]
        let aside = url.path + ".before"
        for suffix in suffixes { rename(url.path + suffix, aside + suffix) }
        guard rename(copy.path, url.path) == 0 else {
            for suffix in suffixes { rename(aside + suffix, url.path + suffix) }
            throw EarshotError(.writeFailed, "\(url.path) cannot be replaced: check the folder and its rights.")
        }
        for suffix in suffixes { try? FileManager.default.removeItem(atPath: aside + suffix) }
    }
}
