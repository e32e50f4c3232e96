import EarshotBroadcast
import EarshotCore
import EarshotMigration
import EarshotMusic
import EarshotPieces
import GRDB

/// Reads and writes the records of a migration's table in SQLite.
struct SQLiteMigrationForm: Sendable {
    let mapping: MigrationMapping
    /// Adds a record; `nil` for an `INSERT` of the mapping's columns.
    private let adding: (@Sendable ([MigrationRecord], Database) throws -> Void)?
    /// Fills other columns and tables that follow from a record; `nil` if there are none.
    private let completing: (@Sendable (MigrationRecord, Database) throws -> Void)?

    private init(
        _ mapping: MigrationMapping,
        adding: (@Sendable ([MigrationRecord], Database) throws -> Void)? = nil,
        completing: (@Sendable (MigrationRecord, Database) throws -> Void)? = nil
    ) {
        (self.mapping, self.adding, self.completing) = (mapping, adding, completing)
    }

    /// Adds records, within a transaction.
    func add(_ records: [MigrationRecord], _ database: Database) throws {
        if let adding { return try adding(records, database) }
        let sql = "INSERT INTO \(mapping.source) (\(mapping.names)) VALUES (\(mapping.written { "?\($0 + 1)" }))"
        let statement = try database.cachedStatement(sql: sql)
        for record in records {
            try statement.execute(arguments: StatementArguments(record.map(\.databaseValue)))
            try completing?(record, database)
        }
    }

    // MARK: - Tables

    private typealias Column = MigrationMapping.Column

    /// Returns the column of a text that is bytes in records.
    private static func bytes(_ name: String) -> Column {
        Column(name, read: "CAST(\(name) AS BLOB)", write: "CAST($ AS TEXT)")
    }

    static func form(of table: MigrationTable) -> SQLiteMigrationForm {
        switch table.part {
        case .accounts: accounts(table)
        case .pieces: pieces(table)
        case .playlog: playlog(table)
        case .fingerprints: fingerprints(table)
        case .guide: guide(table)
        case .music: music(table)
        }
    }

    private static func accounts(_ table: MigrationTable) -> SQLiteMigrationForm {
        switch table.name {
        case "client_user":
            SQLiteMigrationForm(MigrationMapping(table, in: "user", ["last_entry": Column("lastEntry")]))
        case "history": SQLiteMigrationForm(MigrationMapping(table, ["client_user": Column("user")]))
        default: SQLiteMigrationForm(MigrationMapping(table))
        }
    }

    private static func pieces(_ table: MigrationTable) -> SQLiteMigrationForm {
        switch table.name {
        case "piece":
            SQLiteMigrationForm(
                MigrationMapping(table),
                completing: { record, database in
                    let json = try record.text("json", of: table)
                    guard case .tonal(let scale, let root)? = try PieceFields.tonality(in: json) else { return }
                    try database.execute(
                        sql: "UPDATE piece SET mask = ?, root = ? WHERE pk = ?",
                        arguments: [Int(scale.rawValue), root.rawValue, record[0].databaseValue]
                    )
                }
            )
        case "piece_discarded": SQLiteMigrationForm(MigrationMapping(table, in: "discarded_part"))
        case "piece_author": SQLiteMigrationForm(MigrationMapping(table, in: "author"))
        case "piece_author_user":
            SQLiteMigrationForm(MigrationMapping(table, in: "author_user", ["id": Column("user")]))
        case "piece_application": SQLiteMigrationForm(MigrationMapping(table, in: "application"))
        case "piece_login_code":
            SQLiteMigrationForm(MigrationMapping(table, in: "login_code", ["user_code": Column("userCode")]))
        default: SQLiteMigrationForm(MigrationMapping(table))
        }
    }

    private static func playlog(_ table: MigrationTable) -> SQLiteMigrationForm {
        switch table.name {
        case "play_record":
            SQLiteMigrationForm(MigrationMapping(table, in: "play", ["is_open": Column("open")]))
        case "play_gap": SQLiteMigrationForm(MigrationMapping(table, in: "gap"))
        case "play_change": SQLiteMigrationForm(MigrationMapping(table, in: "change", ["is_gap": Column("gap")]))
        case "play_consumer": SQLiteMigrationForm(MigrationMapping(table, in: "consumer"))
        case "play_heard": SQLiteMigrationForm(MigrationMapping(table, in: "heard"))
        default:
            SQLiteMigrationForm(
                MigrationMapping(
                    table,
                    in: """
                        (SELECT name, value FROM figure WHERE value <> 0 UNION ALL
                        SELECT 'last', seq FROM sqlite_sequence WHERE name = 'change' AND seq <> 0)
                        """
                )
            ) { records, database in
                for record in records {
                    if record[0] == .text("last") {
                        try setSequence("change", record[1], database)
                    } else {
                        try set("UPDATE figure SET value = ?2 WHERE name = ?1", record, database)
                    }
                }
            }
        }
    }

    private static func fingerprints(_ table: MigrationTable) -> SQLiteMigrationForm {
        let mapping =
            switch table.name {
            case "fingerprint_track": MigrationMapping(table, in: "track")
            case "fingerprint_merge":
                MigrationMapping(table, in: "(SELECT pk, merged FROM track WHERE merged IS NOT NULL)")
            // Earlier versions noted in the column `indexed` which fingerprints the index had. It is not used any more.
            case "fingerprint":
                MigrationMapping(table, ["submitter": bytes("submitter")], own: [("indexed", "0")])
            case "fingerprint_link": MigrationMapping(table, in: "link")
            case "fingerprint_link_source":
                MigrationMapping(table, in: "link_source", ["submitter": bytes("submitter")])
            case "fingerprint_metadata_source":
                MigrationMapping(
                    table,
                    in: "metadata_source",
                    ["json": bytes("json"), "submitter": bytes("submitter")]
                )
            case "fingerprint_foreign_source":
                MigrationMapping(
                    table,
                    in: "foreign_source",
                    ["value": bytes("value"), "submitter": bytes("submitter")]
                )
            case "fingerprint_submission": MigrationMapping(table, in: "submission")
            case "fingerprint_store": MigrationMapping(table, in: "store")
            default:
                MigrationMapping(
                    table,
                    in: """
                        (SELECT name, seq AS value FROM sqlite_sequence
                        WHERE name IN ('fingerprint', 'submission') AND seq <> 0)
                        """
                )
            }
        switch table.name {
        case "fingerprint_merge":
            return SQLiteMigrationForm(mapping) { records, database in
                for record in records { try set("UPDATE track SET merged = ?2 WHERE pk = ?1", record, database) }
            }
        case "fingerprint_store":
            return SQLiteMigrationForm(mapping) { records, database in
                for record in records { try set("UPDATE store SET id = ?1", record, database) }
            }
        case "fingerprint_figure":
            return SQLiteMigrationForm(mapping) { records, database in
                for record in records {
                    try setSequence(try record.text("name", of: table), record[1], database)
                }
            }
        default: return SQLiteMigrationForm(mapping)
        }
    }

    private static func guide(_ table: MigrationTable) -> SQLiteMigrationForm {
        let mapping = MigrationMapping(table, in: String(table.name.dropFirst("guide_".count)))
        switch table.name {
        case "guide_work":
            return SQLiteMigrationForm(
                mapping,
                completing: { record, database in
                    let work: VideoWork = try GuideRecord.value(try record.text("json", of: table))
                    try GuideWriter.put(TitleKeys(work).words, of: "work", record[0].databaseValue, database)
                }
            )
        case "guide_program":
            return SQLiteMigrationForm(
                mapping,
                completing: { record, database in
                    let program: Program = try GuideRecord.value(try record.text("json", of: table))
                    try GuideWriter.put(TitleKeys(program).words, of: "program", record[0].databaseValue, database)
                }
            )
        default: return SQLiteMigrationForm(mapping)
        }
    }

    private static func music(_ table: MigrationTable) -> SQLiteMigrationForm {
        let name = String(table.name.dropFirst("music_".count))
        switch name {
        case "artist", "album", "track", "lyrics":
            let mapping = MigrationMapping(
                table,
                in: "\(name)_key AS k JOIN \(name) AS e ON e.pk = k.pk",
                ["key": Column("k.number"), "id": Column("e.id"), "json": Column("e.json")]
            )
            return SQLiteMigrationForm(mapping) { records, database in
                var writer = try MusicWriter(database)
                for record in records {
                    let key = Int64(try record.integer("key", of: table))
                    let json = try record.text("json", of: table)
                    switch name {
                    case "artist": try writer.restore(try EntityJSON.value(json) as Artist, json, key)
                    case "album": try writer.restore(try EntityJSON.value(json) as Album, json, key)
                    case "track": try writer.restore(try EntityJSON.value(json) as Track, json, key)
                    default: try writer.restore(try EntityJSON.value(json) as Lyrics, json, key)
                    }
                }
            }
        case "figure":
            let source = """
                (SELECT 'next_key' AS name, CAST(value AS INTEGER) AS value FROM setting
                WHERE name = 'nextKey' AND CAST(value AS INTEGER) <> 0)
                """
            return SQLiteMigrationForm(MigrationMapping(table, in: source)) { records, database in
                for record in records {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO setting VALUES ('nextKey', CAST(? AS TEXT))",
                        arguments: [record[1].databaseValue]
                    )
                }
            }
        default: return SQLiteMigrationForm(MigrationMapping(table, in: name))
        }
    }

    // MARK: - Statements

    private static func set(_ sql: String, _ record: MigrationRecord, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: sql)
        // SQLite refuses more arguments than the statement has parameters.
        let arguments = record.prefix(sql.contains("?2") ? 2 : 1).map(\.databaseValue)
        try statement.execute(arguments: StatementArguments(arguments))
    }

    /// Sets the last number that a table with `AUTOINCREMENT` gave.
    private static func setSequence(_ table: String, _ value: MigrationValue, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
        try database.execute(
            sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
            arguments: [table, value.databaseValue]
        )
    }
}
