import EarshotAlbums
import EarshotCore
import EarshotFingerprints
import Foundation
import GRDB

/// The tables of a store of fingerprints.
enum FingerprintSchema {
    /// The `application_id` of a store of fingerprints: `EFPR`.
    static let application = 0x4546_5052

    /// Checks that a database is empty or such a store: migrations would create their tables in any other.
    ///
    /// - Throws: `storeDamaged` for another program's database.
    static func check(_ database: Database, _ name: String) throws {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        guard isEmpty || application == Self.application else {
            throw EarshotError(
                .storeDamaged,
                "\(name) is another database and no store of fingerprints: name another file."
            )
        }
        if isEmpty { try database.execute(sql: "PRAGMA application_id = \(Self.application)") }
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    -- Times are seconds since 1970; ids of tracks and recordings are UUIDs in lower case.
                    -- AUTOINCREMENT: numbers stand in the index and with those who sent something, and none is given again.
                    CREATE TABLE track (
                        pk INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT UNIQUE NOT NULL,
                        merged INTEGER REFERENCES track -- what it was merged into, never something that is merged itself
                    ) STRICT;
                    CREATE INDEX track_merged ON track (merged) WHERE merged IS NOT NULL;
                    CREATE TABLE fingerprint (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        track INTEGER NOT NULL REFERENCES track,
                        text TEXT NOT NULL,
                        duration INTEGER NOT NULL, -- seconds
                        submitter TEXT NOT NULL,
                        created REAL NOT NULL,
                        submissions INTEGER NOT NULL,
                        indexed INTEGER NOT NULL -- whether the index has it
                    ) STRICT;
                    CREATE INDEX fingerprint_track ON fingerprint (track, number);
                    CREATE INDEX fingerprint_unindexed ON fingerprint (number) WHERE indexed = 0;
                    CREATE TABLE link (
                        track INTEGER NOT NULL REFERENCES track,
                        recording TEXT NOT NULL,
                        disabled INTEGER NOT NULL,
                        PRIMARY KEY (track, recording)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX link_recording ON link (recording);
                    -- Who said so: a source counts once, however often it says something.
                    CREATE TABLE link_source (
                        track INTEGER NOT NULL,
                        recording TEXT NOT NULL,
                        submitter TEXT NOT NULL,
                        PRIMARY KEY (track, recording, submitter)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE metadata_source (
                        track INTEGER NOT NULL,
                        json TEXT NOT NULL,
                        submitter TEXT NOT NULL,
                        PRIMARY KEY (track, json, submitter)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE foreign_source (
                        track INTEGER NOT NULL,
                        value TEXT NOT NULL,
                        submitter TEXT NOT NULL,
                        PRIMARY KEY (track, value, submitter)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE submission (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        state INTEGER NOT NULL, -- 0 waits, 1 is imported, 2 is refused
                        track INTEGER REFERENCES track,
                        json TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX submission_pending ON submission (number) WHERE state = 0;
                    """
            )
        }
        migrator.registerMigration("2") { database in
            try database.execute(
                sql: """
                    -- What tells the store from others.
                    CREATE TABLE store (id TEXT NOT NULL) STRICT;
                    -- The fingerprint that a submission became or was counted with.
                    ALTER TABLE submission ADD COLUMN fingerprint INTEGER;
                    CREATE INDEX submission_track ON submission (track) WHERE track IS NOT NULL;
                    -- What one said is empty once it is imported: all that counts of it stands elsewhere.
                    UPDATE submission SET json = '' WHERE state <> 0;
                    -- One submission says all recordings.
                    UPDATE submission SET json = json_set(
                        json_remove(json, '$.recording'), '$.recordings', CASE
                            WHEN json_extract(json, '$.recording') IS NULL THEN json_array()
                            ELSE json_array(json_extract(json, '$.recording'))
                        END
                    ) WHERE state = 0;
                    """
            )
            try database.execute(sql: "INSERT INTO store (id) VALUES (?)", arguments: [UUID().text])
        }
        return migrator
    }
}
