public import EarshotCore
package import Foundation
import GRDB

extension SQLiteGuideStore {
    /// Copies the store, as it is at one instant, to a file that is not there yet.
    ///
    /// - Throws: `destinationExists`, `writeFailed`.
    package func backup(to url: URL) async throws(EarshotError) {
        try await StoreDatabase.backup(database, to: url, progress: nil)
    }

    /// Puts a copy in the place of a store that nobody has open. What was there stays as it was when anything fails.
    ///
    /// - Throws: `storeDamaged` when the copy is damaged, `writeFailed`, `assetNotFound` when there is none.
    package static func restore(_ backup: URL, to url: URL) async throws(EarshotError) {
        try await StoreDatabase.restore(backup, to: url) { copy throws(EarshotError) in
            let store = try SQLiteGuideStore(url: copy)
            return try StoreDatabase.guarding(store.name) { try store.database.read(faults) }
        }
    }

    /// Checks the store.
    ///
    /// - Returns: One sentence for each fault; none when all is well.
    public func check() async throws(EarshotError) -> [String] {
        do {
            return try await database.read(Self.faults)
        } catch {
            throw StoreDatabase.mapped(error, name)
        }
    }

    @Sendable
    private static func faults(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }
}
