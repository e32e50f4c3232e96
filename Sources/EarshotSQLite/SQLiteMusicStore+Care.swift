public import EarshotCore
public import Foundation
import GRDB

extension SQLiteMusicStore {
    /// Copies the store, as it is at one instant, to a file. Reading and writing go on meanwhile.
    ///
    /// - Parameters:
    ///   - url: The copy: a file that is not there yet.
    ///   - progress: Told how much is copied, from 0 to 1; it may be called on any thread.
    /// - Throws: `destinationExists`, `writeFailed` when the copy cannot be written; then nothing is left of it.
    public func backup(
        to url: URL,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(EarshotError) {
        try await Self.backup(database, to: url, progress: progress)
    }

    /// Copies a database to a file that is not there yet.
    static func backup(
        _ database: any DatabaseWriter,
        to url: URL,
        progress: (@Sendable (Double) -> Void)?
    ) async throws(EarshotError) {
        guard !FileManager.default.fileExists(atPath: url.path) else { throw AtomicFile.exists(url) }
        let partial = url.appendingPathExtension("partial")
        let name = url.lastPathComponent
        try await Self.onThread { () throws(EarshotError) in
            try? FileManager.default.removeItem(at: partial)
            do throws(EarshotError) {
                try Self.guarding(name) {
                    let copy = try DatabaseQueue(path: partial.path)
                    try database.backup(to: copy, pagesPerStep: 1_000) { step in
                        progress?(1 - Double(step.remainingPageCount) / Double(max(1, step.totalPageCount)))
                    }
                    // One file, complete without the two beside it.
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

    /// Puts a copy in the place of a store that nobody has open.
    ///
    /// The copy is checked first; what was there stays as it was when anything fails.
    ///
    /// - Parameters:
    ///   - backup: A file that ``backup(to:progress:)`` made.
    ///   - url: Where the store is.
    /// - Throws: `storeDamaged` when the copy is damaged, `writeFailed`, `assetNotFound` when there is none.
    public static func restore(_ backup: URL, to url: URL) async throws(EarshotError) {
        try await restore(backup, to: url) { copy throws(EarshotError) in try SQLiteMusicStore(url: copy).faults() }
    }

    /// Puts a copy in the place of a database, once it is checked.
    static func restore(
        _ backup: URL,
        to url: URL,
        faults: @escaping @Sendable (URL) throws(EarshotError) -> [String]
    ) async throws(EarshotError) {
        guard FileManager.default.fileExists(atPath: backup.path) else {
            throw EarshotError(.assetNotFound, "There is no backup at \(backup.path): check the path.")
        }
        let copy = url.appendingPathExtension("restoring")
        try await onThread { () throws(EarshotError) in
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

    /// Gives a copy the name of a store. The store's files are kept aside until that is done: what its log holds is not in
    /// its file yet.
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

    /// What is wrong with the store: damaged pages, indexes that do not agree with what they index. Takes time in
    /// proportion to its size.
    ///
    /// - Returns: One sentence for each fault; none when all is well.
    /// - Throws: `storeDamaged` when it cannot be read at all.
    public func check() async throws(EarshotError) -> [String] {
        let store = self
        return try await Self.onThread { () throws(EarshotError) in try store.faults() }
    }

    private func faults() throws(EarshotError) -> [String] {
        try Self.guarding(name) {
            // The check of a full-text index is spelled as a write.
            try database.writeWithoutTransaction { database in
                var faults = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
                for table in ["artist", "album", "track", "lyrics"] {
                    let name = "\(table)_text"
                    do {
                        try database.execute(sql: "INSERT INTO \(name) (\(name), rank) VALUES ('integrity-check', 1)")
                    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                        faults.append("the index \(name) does not agree with what it indexes")
                    }
                    let keys = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)_key") ?? 0
                    let rows = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
                    if keys != rows { faults.append("\(rows) rows of \(table) have \(keys) keys") }
                }
                return faults
            }
        }
    }

    /// Runs something that blocks, away from the threads that tasks share.
    static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        let result: Result<Value, EarshotError> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                do throws(EarshotError) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
