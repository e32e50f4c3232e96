import EarshotCore
import GRDB

/// The tables of pieces, and their migrations.
///
/// The properties of a piece are one JSON text; searchable ones have columns too. `number` counts publications. Instants are seconds
/// since 1970.
enum PieceSchema {
    /// The `application_id` of a store of pieces: `EPCE`.
    static let application = 0x4550_4345

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("pieces 1", migrate: tables)
        migrator.registerMigration("pieces 2") {
            try $0.execute(sql: "ALTER TABLE login_code ADD COLUMN challenge TEXT")
        }
        migrator.registerMigration("pieces 3", migrate: discarding)
        migrator.registerMigration("pieces 4") {
            try $0.execute(sql: "CREATE INDEX author_user_author ON author_user (author, user)")
        }
        migrator.registerMigration("pieces 5", migrate: totals)
        migrator.registerMigration("pieces 6") {
            try $0.execute(sql: "ALTER TABLE login_code ADD COLUMN refused INTEGER NOT NULL DEFAULT 0")
        }
        return migrator
    }

    /// Checks that a database is one of pieces, or empty.
    ///
    /// - Throws: `storeDamaged` for another one.
    static func check(_ database: Database, _ name: String) throws {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        guard isEmpty || application == Self.application else {
            throw EarshotError(.storeDamaged, "\(name) is another database and holds no pieces: name another file.")
        }
    }

    /// Adds the table of parts whose bytes are to be removed later, because removing a piece must not wait for an object store that does not
    /// answer.
    private static func discarding(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE discarded_part (
                    part TEXT PRIMARY KEY NOT NULL,
                    piece TEXT NOT NULL,
                    due REAL NOT NULL
                ) STRICT, WITHOUT ROWID;
                """
        )
    }

    /// Adds the total of bytes of all parts, which is kept up to date, so that a new piece needs no sum over all pieces.
    private static func totals(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE piece_total (bytes INTEGER NOT NULL) STRICT;
                INSERT INTO piece_total SELECT coalesce(sum(json_extract(json, '$.size')), 0) FROM piece_part;
                CREATE TRIGGER piece_part_comes AFTER INSERT ON piece_part BEGIN
                    UPDATE piece_total SET bytes = bytes + json_extract(NEW.json, '$.size');
                END;
                CREATE TRIGGER piece_part_goes AFTER DELETE ON piece_part BEGIN
                    UPDATE piece_total SET bytes = bytes - json_extract(OLD.json, '$.size');
                END;
                """
        )
    }

    private static func tables(_ database: Database) throws {
        try database.execute(sql: "PRAGMA application_id = \(application)")
        try database.execute(
            sql: """
                CREATE TABLE piece (
                    pk INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    author TEXT NOT NULL,
                    state TEXT NOT NULL,
                    visibility TEXT NOT NULL,
                    begun REAL NOT NULL,
                    published REAL,
                    number INTEGER UNIQUE,
                    -- The words of the title, as TitleTokens makes them.
                    words TEXT NOT NULL,
                    tempo REAL,
                    length INTEGER NOT NULL,
                    mask INTEGER,
                    root INTEGER,
                    parents TEXT NOT NULL,
                    json TEXT NOT NULL,
                    quoting INTEGER NOT NULL DEFAULT 0,
                    findings BLOB
                ) STRICT;
                CREATE INDEX piece_author ON piece (author, number);
                CREATE INDEX piece_tempo ON piece (tempo) WHERE tempo IS NOT NULL;
                CREATE INDEX piece_key ON piece (mask, root) WHERE mask IS NOT NULL;
                CREATE INDEX piece_listed ON piece (state, visibility, number);
                CREATE INDEX piece_unheard ON piece (number) WHERE state = 'published' AND findings IS NULL;
                CREATE INDEX piece_draft ON piece (begun) WHERE state = 'draft';
                -- From when it is published on.
                CREATE TABLE piece_parent (
                    piece INTEGER NOT NULL REFERENCES piece (pk),
                    place INTEGER NOT NULL,
                    parent INTEGER NOT NULL REFERENCES piece (pk),
                    PRIMARY KEY (piece, place)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX piece_parent_parent ON piece_parent (parent, piece);
                CREATE TABLE piece_part (
                    id TEXT PRIMARY KEY NOT NULL,
                    piece INTEGER NOT NULL REFERENCES piece (pk) ON DELETE CASCADE,
                    place INTEGER NOT NULL,
                    json TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX piece_part_piece ON piece_part (piece, place);
                CREATE TABLE author (
                    id TEXT PRIMARY KEY NOT NULL,
                    key TEXT NOT NULL UNIQUE,
                    name TEXT NOT NULL,
                    password BLOB,
                    created REAL NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE author_user (
                    user TEXT PRIMARY KEY NOT NULL, author TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE application (id TEXT PRIMARY KEY NOT NULL, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE login_code (
                    digest BLOB PRIMARY KEY NOT NULL,
                    client TEXT NOT NULL,
                    author TEXT,
                    userCode TEXT,
                    expires REAL NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX login_code_user ON login_code (userCode) WHERE userCode IS NOT NULL;
                """
        )
    }
}
