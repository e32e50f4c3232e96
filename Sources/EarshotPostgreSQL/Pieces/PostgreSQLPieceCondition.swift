import EarshotPieces

/// The condition that a search for pieces makes of a row. Its text does not depend on what is sought, so that it is prepared once.
struct PostgreSQLPieceCondition: Sendable {
    /// The longest word that an index takes, in bytes; PostgreSQL refuses 2,047 and more. No title has one of this length.
    private static let longestWord = 2_000

    let sql: String
    let parameters: [PostgreSQLValue]
    /// Says that few pieces fit: those are to be found first, and sorted then. The server, which cannot tell, would go through all of them
    /// by their numbers to find a rare word (184 ms of 200,000 pieces, in place of 1 ms).
    let isSelective: Bool

    init(_ query: PieceSearch) {
        // As a literal, for the indexes of published pieces are found by it.
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
            // Words have letters and digits alone, so nothing in them ends the quotes.
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
    /// The key as a column: `atonal`, `unknown`, or the scale's mask and the root, as `2477/0`.
    var column: String {
        switch self {
        case .tonal(let mask, let root): "\(mask.rawValue)/\(root.rawValue)"
        case .atonal: "atonal"
        case .unknown: "unknown"
        }
    }
}
