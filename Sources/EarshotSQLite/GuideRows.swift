import EarshotBroadcast
import Foundation
import GRDB

/// Reads entities of a guide from rows.
struct GuideRows {
    /// The columns that a query for airings selects, and its tables.
    static let airingColumns = """
        a.start, a.finish, a.live, a.again, c.pk AS channel, c.json AS channel_json, p.pk AS program, p.json AS program_json
        FROM airing a JOIN channel c ON c.pk = a.channel JOIN program p ON p.pk = a.program
        """

    private var decoder = AiringDecoder()

    mutating func airing(_ row: Row) throws -> Airing {
        try decoder.airing(
            of: (row["channel"], row["channel_json"]),
            showing: (row["program"], row["program_json"]),
            milliseconds: (row["start"], row["finish"]),
            isLive: row["live"],
            isRepeat: row["again"]
        )
    }

    static func entity<Value: Decodable>(_ database: Database, _ table: String, _ id: String) throws -> Value? {
        try String.fetchOne(database, sql: "SELECT json FROM \(table) WHERE id = ?", arguments: [id])
            .map { try GuideRecord.value($0) }
    }

    /// Returns the entities of a table whose titles match a search.
    static func found<Value: Decodable>(
        _ database: Database,
        _ table: String,
        _ search: TitleSearch,
        _ limit: Int
    ) throws -> [Value] {
        guard !search.readings.isEmpty else { return [] }
        var arguments: StatementArguments = []
        let readings = search.readings.map { reading in
            let terms = reading.map { term in
                arguments += [term.word]
                // U+10FFFF is the greatest character, so this range contains every word with the beginning.
                if term.isPrefix { arguments += [term.word + "\u{10FFFF}"] }
                let condition = term.isPrefix ? "word >= ? AND word < ?" : "word = ?"
                return "pk IN (SELECT \(table) FROM \(table)_word WHERE \(condition))"
            }
            return "(" + terms.joined(separator: " AND ") + ")"
        }
        arguments += [search.name, max(0, limit)]
        let sql = """
            SELECT json FROM \(table) WHERE \(readings.joined(separator: " OR "))
            ORDER BY name = ? DESC, name, id LIMIT ?
            """
        return try String.fetchAll(database, sql: sql, arguments: arguments).map { try GuideRecord.value($0) }
    }
}
