package import EarshotCore
import EarshotMusic
import Foundation

/// Artists, albums and tracks in a PostgreSQL database, which several nodes use at the same time.
///
/// One node writes at a time; reading goes on meanwhile.
package final class PostgreSQLMusicStore: MusicStore {
    let pool: PostgreSQLPool

    /// Opens the store, and creates or migrates its tables.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of a newer version.
    package init(_ pool: PostgreSQLPool) async throws(EarshotError) {
        self.pool = pool
        try await MusicTables.migrations.run(in: pool)
    }

    /// Creates a store over tables that exist.
    init(opened pool: PostgreSQLPool) { self.pool = pool }

    static func value<Value: Decodable>(_ row: PostgreSQLRow, _ column: String = "json") throws -> Value {
        let text = try row.required(column, row.text)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw EarshotError(
                .storeDamaged,
                "The store of music holds an entry that cannot be read: restore the store from a backup.",
                cause: error
            )
        }
    }

    /// Returns `true` for an identifier that an entity can have: no other is stored or searched. PostgreSQL's texts cannot contain U+0000.
    static func isPossible(_ id: String) -> Bool { (1...512).contains(id.utf8.count) && !id.utf8.contains(0) }
}
