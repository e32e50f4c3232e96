import EarshotBroadcast
import EarshotCore
import EarshotMigration
import EarshotMusic
import EarshotPieces
import Foundation

/// Reads and writes the records of a migration's table in PostgreSQL.
struct PostgreSQLMigrationForm: Sendable {
    let mapping: MigrationMapping
    /// Adds records; `nil` for an `INSERT` of the mapping's columns.
    private let adding: (@Sendable ([MigrationRecord], PostgreSQLConnection) throws -> Void)?
    /// Fills other columns and tables that follow from records; `nil` if there are none.
    private let completing: (@Sendable ([MigrationRecord], PostgreSQLConnection) throws -> Void)?

    private init(
        _ mapping: MigrationMapping,
        adding: (@Sendable ([MigrationRecord], PostgreSQLConnection) throws -> Void)? = nil,
        completing: (@Sendable ([MigrationRecord], PostgreSQLConnection) throws -> Void)? = nil
    ) {
        (self.mapping, self.adding, self.completing) = (mapping, adding, completing)
    }

    /// Adds records, within a transaction.
    func add(_ records: [MigrationRecord], _ connection: PostgreSQLConnection) throws {
        if let adding { return try adding(records, connection) }
        let columns = mapping.table.columns
        let marks = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
        _ = try connection.run(
            """
            INSERT INTO \(mapping.source) (\(mapping.names)) OVERRIDING SYSTEM VALUE
            SELECT \(mapping.written { "c\($0)" }) FROM unnest(\(marks)) AS new (\(names))
            """,
            columns.enumerated().map { place, column in
                .column(column.type.element, records.map { record in record[place].parameter })
            }
        )
        try completing?(records, connection)
    }

    /// The columns whose values PostgreSQL generates: their sequences must continue behind the copied values.
    static let identities = [
        ("piece", "pk"), ("fingerprint_track", "pk"), ("guide_work", "pk"), ("guide_program", "pk"),
        ("guide_channel", "pk"),
    ]

    // MARK: - Tables

    private typealias Column = MigrationMapping.Column

    private static func bool(_ name: String) -> Column { Column(name, read: "\(name)::int", write: "$ = 1") }

    static func form(of table: MigrationTable) -> PostgreSQLMigrationForm {
        switch table.part {
        case .accounts: PostgreSQLMigrationForm(MigrationMapping(table))
        case .pieces: pieces(table)
        case .playlog: playlog(table)
        case .fingerprints: fingerprints(table)
        case .guide: guide(table)
        case .music: music(table)
        }
    }

    private static func pieces(_ table: MigrationTable) -> PostgreSQLMigrationForm {
        switch table.name {
        case "piece":
            PostgreSQLMigrationForm(
                MigrationMapping(table, ["quoting": bool("quoting")]),
                completing: { records, connection in
                    var (keys, tonalities): ([Int], [String]) = ([], [])
                    for record in records {
                        let json = try record.text("json", of: table)
                        guard let tonality = try PieceFields.tonality(in: json) else { continue }
                        keys.append(try record.integer("pk", of: table))
                        tonalities.append(tonality.column)
                    }
                    try connection.change(
                        """
                        UPDATE piece SET tonality = new.tonality FROM unnest($1, $2) AS new (key, tonality) WHERE pk = new.key
                        """,
                        PostgreSQLValue.integers(keys),
                        PostgreSQLValue.texts(tonalities)
                    )
                }
            )
        case "piece_parent":
            PostgreSQLMigrationForm(
                MigrationMapping(
                    table,
                    // In PostgreSQL the places of parents begin with 1, in a record with 0.
                    ["place": Column("place", read: "place - 1", write: "$ + 1")],
                    own: [("number", "(SELECT p.number FROM piece p WHERE p.pk = #piece)")]
                )
            )
        case "piece_part":
            PostgreSQLMigrationForm(
                MigrationMapping(
                    table,
                    own: [
                        ("size", "(#json::json ->> 'size')::bigint"),
                        ("complete", "(#json::json ->> 'isComplete')::boolean"),
                        ("kept_in", "#json::json ->> 'keptIn'"),
                    ]
                )
            )
        case "piece_login_code": PostgreSQLMigrationForm(MigrationMapping(table, ["refused": bool("refused")]))
        default: PostgreSQLMigrationForm(MigrationMapping(table))
        }
    }

    private static func playlog(_ table: MigrationTable) -> PostgreSQLMigrationForm {
        switch table.name {
        case "play_record": PostgreSQLMigrationForm(MigrationMapping(table, ["is_open": bool("is_open")]))
        case "play_gap":
            // An open gap has an end that is later than every date.
            PostgreSQLMigrationForm(
                MigrationMapping(
                    table,
                    [
                        "ended": Column(
                            "ended",
                            read: "nullif(ended, \(PlaylogTime.range.upperBound))",
                            write: "coalesce($, \(PlaylogTime.range.upperBound))"
                        )
                    ]
                )
            )
        case "play_change": PostgreSQLMigrationForm(MigrationMapping(table, ["is_gap": bool("is_gap")]))
        case "play_figure":
            figures(
                table,
                in: "play_log",
                [("last", "last_sequence"), ("longest", "longest"), ("trimmed", "trimmed")]
            )
        default: PostgreSQLMigrationForm(MigrationMapping(table))
        }
    }

    private static func fingerprints(_ table: MigrationTable) -> PostgreSQLMigrationForm {
        switch table.name {
        case "fingerprint_merge":
            PostgreSQLMigrationForm(
                MigrationMapping(
                    table,
                    in: "(SELECT pk, merged FROM fingerprint_track WHERE merged IS NOT NULL) AS merges"
                ),
                adding: { records, connection in
                    try connection.change(
                        """
                        UPDATE fingerprint_track SET merged = new.merged FROM unnest($1, $2) AS new (key, merged) WHERE pk = new.key
                        """,
                        PostgreSQLValue.integers(try records.map { try $0.integer("pk", of: table) }),
                        PostgreSQLValue.integers(try records.map { try $0.integer("merged", of: table) })
                    )
                }
            )
        case "fingerprint_link": PostgreSQLMigrationForm(MigrationMapping(table, ["disabled": bool("disabled")]))
        case "fingerprint_store":
            PostgreSQLMigrationForm(
                MigrationMapping(table),
                adding: { records, connection in
                    for record in records {
                        let id = try record.text("id", of: table)
                        try connection.change("UPDATE fingerprint_store SET id = $1", id)
                    }
                }
            )
        case "fingerprint_figure":
            // The number of the last submission is in a sequence, not in a column.
            PostgreSQLMigrationForm(
                MigrationMapping(
                    table,
                    in: """
                        (
                            SELECT name COLLATE "C" AS name, value FROM (
                                SELECT 'fingerprint' AS name, last_number AS value FROM fingerprint_store UNION ALL
                                SELECT 'submission', CASE WHEN is_called THEN last_value ELSE 0 END
                                FROM fingerprint_submission_number_seq
                            ) AS numbers WHERE value <> 0
                        ) AS figures
                        """
                ),
                adding: { records, connection in
                    for record in records {
                        let value = try record.integer("value", of: table)
                        if try record.text("name", of: table) == "submission" {
                            try connection.rows("SELECT setval('fingerprint_submission_number_seq', $1)", value)
                        } else {
                            try connection.change("UPDATE fingerprint_store SET last_number = $1", value)
                        }
                    }
                }
            )
        default: PostgreSQLMigrationForm(MigrationMapping(table))
        }
    }

    private static func guide(_ table: MigrationTable) -> PostgreSQLMigrationForm {
        switch table.name {
        case "guide_work":
            PostgreSQLMigrationForm(
                MigrationMapping(table),
                completing: { records, connection in
                    try addWords(table, records, connection) { json in
                        TitleKeys(try GuideRecord.value(json) as VideoWork)
                    }
                }
            )
        case "guide_program":
            PostgreSQLMigrationForm(
                MigrationMapping(table),
                completing: { records, connection in
                    try addWords(table, records, connection) { json in TitleKeys(try GuideRecord.value(json) as Program)
                    }
                }
            )
        case "guide_airing":
            PostgreSQLMigrationForm(MigrationMapping(table, ["live": bool("live"), "again": bool("again")]))
        default: PostgreSQLMigrationForm(MigrationMapping(table))
        }
    }

    private static func music(_ table: MigrationTable) -> PostgreSQLMigrationForm {
        switch table.name {
        case "music_artist", "music_album", "music_track", "music_lyrics":
            PostgreSQLMigrationForm(
                MigrationMapping(
                    table,
                    in: "\(table.name)_key AS k JOIN \(table.name) AS e ON e.id = k.id",
                    ["key": Column("k.number"), "id": Column("e.id"), "json": Column("e.json")]
                ),
                adding: { records, connection in
                    let writer = try MusicTransaction(connection)
                    let changes = try records.map { try change($0, table) }
                    try writer.prepare(for: changes)
                    for (record, change) in zip(records, changes) {
                        try writer.restore(
                            change,
                            try record.text("json", of: table),
                            try record.integer("key", of: table)
                        )
                    }
                    try writer.finish()
                }
            )
        case "music_figure": figures(table, in: "music_state", [("next_key", "next_key")])
        default: PostgreSQLMigrationForm(MigrationMapping(table))
        }
    }

    // MARK: - Rows

    /// Returns the mapping of a table with a single row: each column is a record of its name and value.
    private static func figures(
        _ table: MigrationTable,
        in row: String,
        _ columns: [(name: String, column: String)]
    ) -> PostgreSQLMigrationForm {
        let values = columns.map { "('\($0.name)' COLLATE \"C\", \($0.column))" }.joined(separator: ", ")
        return PostgreSQLMigrationForm(
            MigrationMapping(
                table,
                in: """
                    (
                        SELECT name, value FROM \(row), LATERAL (VALUES \(values)) AS named (name, value) WHERE value <> 0
                    ) AS figures
                    """
            ),
            adding: { records, connection in
                for record in records {
                    let name = try record.text("name", of: table)
                    guard let column = columns.first(where: { $0.name == name })?.column else { continue }
                    try connection.change("UPDATE \(row) SET \(column) = $1", try record.integer("value", of: table))
                }
            }
        )
    }

    /// Adds the words by which entities of a guide are found.
    private static func addWords(
        _ table: MigrationTable,
        _ records: [MigrationRecord],
        _ connection: PostgreSQLConnection,
        _ keys: (String) throws -> TitleKeys
    ) throws {
        var (words, owners): ([String], [Int]) = ([], [])
        for record in records {
            let key = try record.integer("pk", of: table)
            for word in try keys(try record.text("json", of: table)).words {
                words.append(GuideKey.word(word))
                owners.append(key)
            }
        }
        try connection.change(
            """
            INSERT INTO \(table.name)_word (word, entity) SELECT word, entity FROM unnest($1, $2) AS new (word, entity)
            ON CONFLICT DO NOTHING
            """,
            PostgreSQLValue.texts(words),
            PostgreSQLValue.integers(owners)
        )
    }

    /// Returns the change that adds the music entity of a record.
    private static func change(_ record: MigrationRecord, _ table: MigrationTable) throws -> MusicChange {
        let json = Data(try record.text("json", of: table).utf8)
        let decoder = JSONDecoder()
        do {
            return switch table.name {
            case "music_artist": .artist(try decoder.decode(Artist.self, from: json))
            case "music_album": .album(try decoder.decode(Album.self, from: json))
            case "music_track": .track(try decoder.decode(Track.self, from: json))
            default: .lyrics(try decoder.decode(Lyrics.self, from: json))
            }
        } catch {
            throw EarshotError(
                .storeDamaged,
                "A record of \(table.name) cannot be read: restore the database from a backup.",
                cause: error
            )
        }
    }
}

extension MigrationType {
    /// The type of an array of values.
    fileprivate var element: PostgreSQLValue.Element {
        switch self {
        case .integer: .integers
        case .real: .doubles
        case .text: .texts
        case .bytes: .bytes
        }
    }
}
