import EarshotCore
import GRDB

/// The tables of a guide, and their migrations.
///
/// Works, programs and channels are one JSON text each, with columns for what they are found by. Instants are milliseconds
/// since 1970.
enum GuideSchema {
    /// The `application_id` of a guide: `EGDE`.
    static let application = 0x4547_4445

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("guide 1", migrate: tables)
        return migrator
    }

    /// Checks that a database is a guide, or empty.
    ///
    /// - Throws: `storeDamaged` for another one.
    static func check(_ database: Database, _ name: String) throws {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        guard isEmpty || application == Self.application else {
            throw EarshotError(.storeDamaged, "\(name) is another database and no guide: name another file.")
        }
    }

    private static func tables(_ database: Database) throws {
        try database.execute(sql: "PRAGMA application_id = \(application)")
        try database.execute(
            sql: """
                CREATE TABLE work (
                    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, json TEXT NOT NULL
                ) STRICT;
                CREATE TABLE program (
                    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, json TEXT NOT NULL
                ) STRICT;
                -- The words of titles, as TitleSearch makes them.
                CREATE TABLE work_word (
                    word TEXT NOT NULL, work INTEGER NOT NULL REFERENCES work ON DELETE CASCADE,
                    PRIMARY KEY (word, work)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX work_word_work ON work_word (work);
                CREATE TABLE program_word (
                    word TEXT NOT NULL, program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,
                    PRIMARY KEY (word, program)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX program_word_program ON program_word (program);
                CREATE TABLE channel (
                    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tag TEXT NOT NULL, json TEXT NOT NULL
                ) STRICT;
                -- The identifiers that channels have in guides in XMLTV.
                CREATE TABLE channel_xmltv (
                    value TEXT NOT NULL, channel INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE,
                    PRIMARY KEY (value, channel)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX channel_xmltv_channel ON channel_xmltv (channel);
                CREATE TABLE airing (
                    channel INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE,
                    start INTEGER NOT NULL, finish INTEGER NOT NULL,
                    program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,
                    live INTEGER NOT NULL, again INTEGER NOT NULL,
                    PRIMARY KEY (channel, start)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX airing_start ON airing (start);
                CREATE INDEX airing_program ON airing (program);
                """
        )
    }
}
