package import EarshotCore
import EarshotMusic
import Foundation

/// Artists, albums and tracks in a PostgreSQL database, which several nodes use at the same time.
///
/// One node writes at a time; reading goes on meanwhile.
package final class PostgreSQLMusicStore: MusicStore {
    let pool: PostgreSQLPool

    /// Opens the store, and makes or renews its tables.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of a newer version.
    package init(_ pool: PostgreSQLPool) async throws(EarshotError) {
        self.pool = pool
        try await MusicTables.migrations.run(in: pool)
    }

    /// A store whose tables are there.
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

    /// Says that an entity can have an identifier: no other is kept or looked for. PostgreSQL's texts hold no U+0000.
    static func isPossible(_ id: String) -> Bool { (1...512).contains(id.utf8.count) && !id.utf8.contains(0) }
}
