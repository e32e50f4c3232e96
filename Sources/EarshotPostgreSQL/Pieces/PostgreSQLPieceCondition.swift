import EarshotPieces

/// The SQL condition of a search for pieces. Values are parameters, so that equal searches share a prepared statement.
struct PostgreSQLPieceCondition: Sendable {
    /// The longest word of a search, in bytes: PostgreSQL refuses 2,047 and more. No title has a longer word.
    private static let longestWord = 2_000

    let sql: String
    let parameters: [PostgreSQLValue]
    /// `true` if few pieces match, so that they must be found first and then sorted. The server cannot know that, and would scan all pieces
    /// by number for a rare word (184 ms for 200,000 pieces, instead of 1 ms).
    let isSelective: Bool

    init(_ query: PieceSearch) {
        // A literal, because the planner uses the partial indexes of published pieces only for a literal.
        var terms = ["state = 'published'"]
        var parameters: [PostgreSQLValue] = []
        func bind(_ value: PostgreSQLValue) -> String {
            parameters.append(value)
            return "$\(parameters.count)"
        }
        terms.append("visibility = ANY (\(bind(.texts(query.visibilities.map(\.rawValue).sorted()))))")
        let words = query.titleWords
        isSelective = !words.isEmpty
        if words.contains(where: { $0.utf8.count > Self.longestWord }) {
            terms.append("false")
        } else if !words.isEmpty {
            // Words consist of letters and digits, so they cannot end the quotes.
            let sought = bind(.text(words.map { "'\($0)':*" }.joined(separator: " & ")))
            terms.append("\(PostgreSQLPieceSchema.words) @@ CAST(\(sought) AS tsquery)")
        }
        if let author = query.author { terms.append("author = \(bind(.text(author)))") }
        if let range = query.tempo {
            terms.append("tempo BETWEEN \(bind(.double(range.lowerBound))) AND \(bind(.double(range.upperBound)))")
        }
        if let shortest = query.shortest { terms.append("length >= \(bind(.integer(Int(shortest.count))))") }
        if let longest = query.longest { terms.append("length <= \(bind(.integer(Int(longest.count))))") }
        if let parent = query.basedOn {
            let pk = "SELECT named.pk FROM piece named WHERE named.id = \(bind(.text(parent.description)))"
            terms.append("pk IN (SELECT r.piece FROM piece_parent r WHERE r.parent = (\(pk)))")
        }
        if let isQuoting = query.isQuoting { terms.append("quoting = \(bind(.bool(isQuoting)))") }
        if let keys = query.keys { terms.append("tonality = ANY (\(bind(.texts(keys.map(\.column)))))") }
        sql = terms.joined(separator: " AND ")
        self.parameters = parameters
    }
}

extension Tonality {
    /// The key as the value of a column: `atonal`, `unknown`, or the mask and the root of the scale, such as `2477/0`.
    var column: String {
        switch self {
        case .tonal(let mask, let root): "\(mask.rawValue)/\(root.rawValue)"
        case .atonal: "atonal"
        case .unknown: "unknown"
        }
    }
}
