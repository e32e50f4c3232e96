import EarshotBroadcast

/// The SQL of a query, with the parameters of its statement.
struct PostgreSQLPlaylogCondition {
    private var terms: [String] = []
    private(set) var parameters: [PostgreSQLValue] = []

    var sql: String { terms.isEmpty ? "true" : terms.joined(separator: " AND ") }

    /// A condition of plays.
    init(plays query: PlayQuery) {
        add(PlaylogFilter(plays: query)) { lower in
            // So that the index on the start serves both ends. In the same statement: a longer play may be written meanwhile.
            "start >= \(lower) - (SELECT longest FROM play_log)"
        }
    }

    /// A condition of gaps, or of the intervals in which channels were heard.
    init(gaps query: PlayQuery) { add(PlaylogFilter(gaps: query)) { _ in nil } }

    /// Adds a parameter, and returns its name.
    mutating func bind(_ value: some PostgreSQLParameter) -> String {
        parameters.append(value.parameter)
        return "$\(parameters.count)"
    }

    /// Adds that rows lie behind a place, in the order of the query.
    mutating func add(after cursor: PlayCursor?, _ query: PlayQuery) {
        guard let cursor else { return }
        let (start, id) = (bind(Int(cursor.start)), bind(cursor.id))
        terms.append("(start, id) \(query.isNewestFirst ? "<" : ">") (\(start), \(id))")
    }

    static func order(_ query: PlayQuery) -> String { query.isNewestFirst ? "start DESC, id DESC" : "start, id" }

    private mutating func add(_ filter: PlaylogFilter, earliest: (String) -> String?) {
        for (column, values) in filter.texts {
            // No row has another.
            let texts = values.filter(PostgreSQLPlaylogStore.isKeepable)
            // Of a single one the index gives the rows in the order of their starts.
            if texts.count == 1 {
                terms.append("\(column) = \(bind(texts[0]))")
            } else {
                terms.append("\(column) = ANY(\(bind(PostgreSQLValue.texts(texts))))")
            }
        }
        if let isOpen = filter.isOpen { terms.append(isOpen ? "is_open" : "NOT is_open") }
        guard let span = filter.span else { return }
        let (lower, upper) = (bind(Int(span.lower)), bind(Int(span.upper)))
        terms += ["start < \(upper)", "(ended > \(lower) OR start >= \(lower))"]
        if let earliest = earliest(lower) { terms.append(earliest) }
    }
}
