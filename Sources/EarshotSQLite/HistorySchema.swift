import EarshotCore
import GRDB

/// The table of a history, and its migrations.
///
/// It is created in a transaction that locks the file for writing at its beginning, because two programs may open a new file at the same
/// moment.
enum HistorySchema {
    /// The `application_id` of a history: `EHST`.
    static let application = 0x4548_5354
    /// The version of the table.
    static let version = 1

    /// Creates the table, or checks that the database is a history.
    ///
    /// - Throws: `storeDamaged` for another program's database, or one of a newer version.
    static func prepare(_ database: Database, _ name: String) throws {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        guard isEmpty || application == Self.application else {
            throw EarshotError(.storeDamaged, "\(name) is another database and no history: name another file.")
        }
        guard version <= Self.version else {
            throw EarshotError(
                .storeDamaged,
                "\(name) was made by a newer version of this program: use that one, or another file."
            )
        }
        guard isEmpty else { return }
        try database.execute(sql: "PRAGMA application_id = \(Self.application)")
        try database.execute(sql: "PRAGMA user_version = \(Self.version)")
        try database.execute(
            sql: """
                -- AUTOINCREMENT: a number is the one before it plus one, and is not given again after entries were removed.
                CREATE TABLE entry (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    date INTEGER NOT NULL, -- milliseconds since 1970
                    operation TEXT NOT NULL,
                    latitude REAL, longitude REAL, accuracy REAL,
                    heard REAL,
                    music TEXT NOT NULL,
                    cover_type TEXT, cover BLOB
                ) STRICT
                """
        )
    }
}
