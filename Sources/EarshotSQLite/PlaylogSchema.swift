import EarshotCore
import GRDB

/// The tables of a log of plays.
enum PlaylogSchema {
    /// The `application_id` of a log of plays: `EPLY`.
    static let application = 0x4550_4C59

    /// Checks that a database is empty or a log: migrations would create their tables in any other.
    ///
    /// - Throws: `storeDamaged` for another program's database.
    static func check(_ database: Database, _ name: String) throws {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        guard isEmpty || application == Self.application else {
            throw EarshotError(.storeDamaged, "\(name) is another database and no log of plays: name another file.")
        }
        if isEmpty { try database.execute(sql: "PRAGMA application_id = \(Self.application)") }
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    -- Times are milliseconds since 1970. What is asked for has columns, all of it is in the JSON.
                    CREATE TABLE play (
                        id TEXT PRIMARY KEY NOT NULL,
                        channel TEXT NOT NULL,
                        start INTEGER NOT NULL,
                        ended INTEGER NOT NULL,
                        played REAL NOT NULL,
                        reference TEXT NOT NULL, -- empty for none
                        kind TEXT NOT NULL,
                        open INTEGER NOT NULL,
                        json TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX play_start ON play (start, id);
                    CREATE INDEX play_channel ON play (channel, start, id);
                    CREATE INDEX play_reference ON play (reference, start, id);
                    CREATE INDEX play_open ON play (start, id) WHERE open = 1;
                    CREATE TABLE gap (
                        id TEXT PRIMARY KEY NOT NULL,
                        channel TEXT NOT NULL,
                        start INTEGER NOT NULL,
                        ended INTEGER, -- nothing while it lasts
                        json TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX gap_start ON gap (start, id);
                    -- AUTOINCREMENT: no number is given again after changes were removed.
                    CREATE TABLE change (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        ended INTEGER NOT NULL,
                        event TEXT NOT NULL,
                        gap INTEGER NOT NULL,
                        json TEXT NOT NULL
                    ) STRICT;
                    CREATE TABLE consumer (
                        name TEXT PRIMARY KEY NOT NULL,
                        position INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE figure (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                    -- The longest play in milliseconds: what is heard within a span began at most so long before it.
                    INSERT INTO figure VALUES ('longest', 0), ('trimmed', 0);
                    """
            )
        }
        migrator.registerMigration("2") { database in
            try database.execute(
                sql: """
                    -- When monitors listened to channels.
                    CREATE TABLE heard (
                        channel TEXT NOT NULL,
                        start INTEGER NOT NULL,
                        ended INTEGER NOT NULL,
                        json TEXT NOT NULL,
                        PRIMARY KEY (channel, start)
                    ) STRICT, WITHOUT ROWID;
                    """
            )
        }
        return migrator
    }
}
