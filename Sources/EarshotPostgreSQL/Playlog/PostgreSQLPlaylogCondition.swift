import EarshotBroadcast

/// The SQL of a query, with the parameters of its statement.
struct PostgreSQLPlaylogCondition {
    private var terms: [String] = []
    private(set) var parameters: [PostgreSQLValue] = []

    var sql: String { terms.isEmpty ? "true" : terms.joined(separator: " AND ") }

    /// Creates the condition of a query for plays.
    init(plays query: PlayQuery) {
        add(PlaylogFilter(plays: query)) { lower in
            // Bounds the start of plays that reach into the span, so that the index on `start` can be used. As a subquery, because a
            // longer play may be written meanwhile.
            "start >= \(lower) - (SELECT longest FROM play_log)"
        }
    }

    /// Creates the condition of a query for gaps, or for the intervals in which channels were monitored.
    init(gaps query: PlayQuery) { add(PlaylogFilter(gaps: query)) { _ in nil } }

    /// Adds a parameter, and returns its name.
    mutating func bind(_ value: some PostgreSQLParameter) -> String {
        parameters.append(value.parameter)
        return "$\(parameters.count)"
    }

    /// Adds the condition that rows lie behind a cursor, in the order of the query.
    mutating func add(after cursor: PlayCursor?, _ query: PlayQuery) {
        guard let cursor else { return }
        let (start, id) = (bind(Int(cursor.start)), bind(cursor.id))
        terms.append("(start, id) \(query.isNewestFirst ? "<" : ">") (\(start), \(id))")
    }

    static func order(_ query: PlayQuery) -> String { query.isNewestFirst ? "start DESC, id DESC" : "start, id" }

    private mutating func add(_ filter: PlaylogFilter, earliest: (String) -> String?) {
        for (column, values) in filter.texts {
            // Texts that PostgreSQL cannot store are in no row.
            let texts = values.filter(PostgreSQLPlaylogStore.isKeepable)
            // `=` instead of `ANY` for a single text: then the index returns rows in the order of `start`.
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
