import EarshotMusic
import GRDB

/// The tables of a music store, and their migrations.
///
/// An entity is one JSON text. Values by which it is found are in columns and other tables; searched texts are stored in the form of
/// `SearchText`.
enum MusicSchema {
    /// The version of the search keys. Must be raised by 1 when keys are computed differently: stores then compute them anew.
    static let searchVersion = 1

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", migrate: tables)
        return migrator
    }

    private static func tables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE artist (
                    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key INTEGER NOT NULL, json TEXT NOT NULL
                );
                CREATE TABLE album (
                    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key INTEGER NOT NULL, date TEXT, json TEXT NOT NULL
                );
                CREATE TABLE track (
                    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key INTEGER NOT NULL, album TEXT,
                    medium INTEGER, number INTEGER, json TEXT NOT NULL
                );
                CREATE INDEX track_album ON track (album, medium, number) WHERE album IS NOT NULL;
                CREATE TABLE lyrics (
                    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key INTEGER NOT NULL, json TEXT NOT NULL
                );
                CREATE TABLE lyrics_track (
                    track TEXT NOT NULL, lyrics INTEGER NOT NULL REFERENCES lyrics ON DELETE CASCADE,
                    PRIMARY KEY (track, lyrics)
                ) WITHOUT ROWID;
                CREATE INDEX lyrics_track_lyrics ON lyrics_track (lyrics);
                CREATE TABLE picture (
                    pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT NOT NULL, bytes BLOB NOT NULL
                );
                -- Whose album or track it is. Kinds are those of MusicKind.
                CREATE TABLE credit (
                    artist TEXT NOT NULL, kind INTEGER NOT NULL, entity INTEGER NOT NULL,
                    PRIMARY KEY (artist, kind, entity)
                ) WITHOUT ROWID;
                CREATE INDEX credit_entity ON credit (kind, entity);
                CREATE TABLE identifier (
                    value TEXT NOT NULL, kind INTEGER NOT NULL, entity INTEGER NOT NULL,
                    PRIMARY KEY (value, kind, entity)
                ) WITHOUT ROWID;
                CREATE TABLE redirect (
                    kind INTEGER NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, PRIMARY KEY (kind, old)
                ) WITHOUT ROWID;
                CREATE INDEX redirect_new ON redirect (kind, new);
                CREATE TABLE checkpoint (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                """
        )
        try database.execute(
            sql: "INSERT INTO setting VALUES ('searchVersion', ?)",
            arguments: [String(searchVersion)]
        )
        try searchTables(database)
    }

    /// Creates the full-text indexes over search keys, and the tables with the indexed texts.
    ///
    /// The number of a key is lower the more popular its entity is (`SearchIndexEntry.number`), and an index returns hits in the order of
    /// numbers: so of very many hits the first ones are the most popular, and the others need not be read.
    ///
    /// `MusicWriter` updates the indexes, not triggers, because within a trigger an index writes out its pending entries after each row.
    private static func searchTables(_ database: Database) throws {
        let kinds = [MusicKind.artist, .album, .track].map { ($0.table, $0.columns) }
        for (table, columns) in kinds + [("lyrics", ["words", "artist"])] {
            let list = columns.joined(separator: ", ")
            let fields = columns.map { "\($0) TEXT NOT NULL" }.joined(separator: ", ")
            try database.execute(
                sql: """
                    CREATE TABLE \(table)_key (
                        number INTEGER PRIMARY KEY, pk INTEGER NOT NULL, name TEXT NOT NULL, \(fields)
                    );
                    CREATE INDEX \(table)_key_name ON \(table)_key (name, number);
                    CREATE VIRTUAL TABLE \(table)_text USING fts5 (
                        \(list), content = '\(table)_key', content_rowid = 'number', prefix = '1 2 3', detail = full,
                        columnsize = 0, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
                    );
                    """
            )
        }
        // The words of names and their trigrams, to find the words that a mistyped one may have meant.
        try database.execute(
            sql: """
                CREATE TABLE word (pk INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
                CREATE VIRTUAL TABLE word_text USING fts5 (
                    grams, content = '', tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
                );
                """
        )
    }
}
