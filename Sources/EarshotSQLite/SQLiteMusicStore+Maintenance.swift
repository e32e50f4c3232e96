public import EarshotCore
package import Foundation
import GRDB

extension SQLiteMusicStore {
    /// Copies the store, as it is at one instant, to a file. Reading and writing go on meanwhile.
    ///
    /// - Parameters:
    ///   - url: The copy: a file that is not there yet.
    ///   - progress: Told how much is copied, from 0 to 1; it may be called on any thread.
    /// - Throws: `destinationExists`, `writeFailed` when the copy cannot be written; then nothing is left of it.
    package func backup(
        to url: URL,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(EarshotError) {
        try await StoreDatabase.backup(database, to: url, progress: progress)
    }

    /// Puts a copy in the place of a store that nobody has open.
    ///
    /// The copy is checked first; what was there stays as it was when anything fails.
    ///
    /// - Parameters:
    ///   - backup: A file that ``backup(to:progress:)`` made.
    ///   - url: The path of the store.
    /// - Throws: `storeDamaged` when the copy is damaged, `writeFailed`, `assetNotFound` when there is none.
    package static func restore(_ backup: URL, to url: URL) async throws(EarshotError) {
        try await StoreDatabase.restore(backup, to: url) { copy throws(EarshotError) in
            try SQLiteMusicStore(url: copy).faults()
        }
    }

    /// Checks the store: finds damaged pages, and indexes that do not agree with their tables. The time grows with the
    /// size of the store.
    ///
    /// - Returns: One sentence for each fault; none when all is well.
    /// - Throws: `storeDamaged` when it cannot be read at all.
    public func check() async throws(EarshotError) -> [String] {
        let store = self
        return try await BlockingWork.run { () throws(EarshotError) in try store.faults() }
    }

    private func faults() throws(EarshotError) -> [String] {
        try StoreDatabase.guarding(name) {
            // A full-text index is checked by an `INSERT`, so this needs a connection that may write.
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
}
