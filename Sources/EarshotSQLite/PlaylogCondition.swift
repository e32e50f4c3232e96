import EarshotBroadcast
import EarshotCore
import Foundation
import GRDB

/// The condition of a query for plays, as SQL.
struct PlaylogCondition {
    private(set) var terms: [String] = []
    private(set) var arguments = StatementArguments()

    var sql: String { terms.isEmpty ? "1" : terms.joined(separator: " AND ") }

    /// Creates the condition of a query for plays.
    init(plays query: PlayQuery, _ database: Database) throws {
        let filter = PlaylogFilter(plays: query)
        for (column, values) in filter.texts { add(column, values) }
        if let isOpen = filter.isOpen { terms.append("open = \(isOpen ? 1 : 0)") }
        guard let (lower, upper) = filter.span else { return }
        add("start < ?", upper)
        add("(ended > ? OR start >= ?)", lower, lower)
        // Bounds the start of plays that reach into the span, so that the index on `start` can be used.
        add("start >= ?", lower - (try PlaylogRowWriter.figure("longest", database)))
    }

    /// Creates the condition of a query for gaps.
    init(gaps query: PlayQuery) {
        let filter = PlaylogFilter(gaps: query)
        for (column, values) in filter.texts { add(column, values) }
        guard let (lower, upper) = filter.span else { return }
        add("start < ?", upper)
        add("(ended IS NULL OR ended > ? OR start >= ?)", lower, lower)
    }

    /// Adds the condition that rows lie behind a cursor, in the order of the query.
    mutating func add(after cursor: PlayCursor?, _ query: PlayQuery) {
        guard let cursor else { return }
        terms.append("(start, id) \(query.isNewestFirst ? "<" : ">") (?, ?)")
        arguments += [cursor.start, cursor.id]
    }

    static func order(_ query: PlayQuery) -> String {
        query.isNewestFirst ? "start DESC, id DESC" : "start, id"
    }

    private mutating func add(_ term: String, _ values: Int64...) {
        terms.append(term)
        arguments += StatementArguments(values)
    }

    private mutating func add(_ column: String, _ values: [String]) {
        // As one JSON array, because the number of arguments of a statement is limited.
        terms.append("\(column) IN (SELECT value FROM json_each(?))")
        let json = (try? JSONEncoder().encode(values)).map { String(decoding: $0, as: UTF8.self) }
        arguments += [json ?? "[]"]
    }
}
