import EarshotMusic
import GRDB

/// The tables of a music store, and how older ones are brought up to date.
///
/// An entity is one JSON text; what is looked for by value stands in columns and tables beside it. Texts that are searched
/// are kept in the form that `SearchText` gives them.
enum MusicSchema {
    /// Raised by one whenever keys for searching are made in another way: they are then made anew.
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

    /// Full-text indexes over keys for searching, with the rows that they index beside them.
    ///
    /// The number of a key begins with how little its entity is asked for (`SearchIndexEntry.number`), and an index gives its
    /// hits in the order of numbers: the first of very many are the most popular, and the others need not be read.
    ///
    /// Triggers would keep the indexes in step with the rows, but within a trigger an index writes out what it has gathered
    /// after every row: `MusicWriter` does it.
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
        // The words of names, and their trigrams, for finding what a mistyped one may have meant.
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
