import EarshotPieces
import GRDB

/// The condition of a query for pieces, as SQL.
struct PieceCondition: Sendable {
    let sql: String
    let arguments: StatementArguments

    init(_ query: PieceSearch) {
        var terms = ["state = 'published'"]
        var arguments: StatementArguments = []
        func add(_ term: String, _ values: StatementArguments) {
            terms.append(term)
            arguments += values
        }
        let visibilities = query.visibilities.map(\.rawValue).sorted()
        add(
            "visibility IN (\(visibilities.map { _ in "?" }.joined(separator: ", ")))",
            StatementArguments(visibilities)
        )
        for word in query.titleWords { add("instr(words, ?) > 0", [" " + word]) }
        if let author = query.author { add("author = ?", [author]) }
        if let range = query.tempo { add("tempo BETWEEN ? AND ?", [range.lowerBound, range.upperBound]) }
        if let shortest = query.shortest { add("length >= ?", [shortest.count]) }
        if let longest = query.longest { add("length <= ?", [longest.count]) }
        if let parent = query.basedOn {
            add(
                "pk IN (SELECT piece FROM piece_parent WHERE parent = (SELECT pk FROM piece WHERE id = ?))",
                [parent.description]
            )
        }
        if let isQuoting = query.isQuoting { add("quoting = ?", [isQuoting]) }
        if let keys = query.keys {
            var choices: [String] = []
            for key in keys {
                switch key {
                case .tonal(let mask, let root):
                    choices.append("(mask = ? AND root = ?)")
                    arguments += [Int(mask.rawValue), root.rawValue]
                case .atonal:
                    choices.append("(mask IS NULL AND json_extract(json, '$.draft.tonality.state') = 'atonal')")
                case .unknown:
                    choices.append("(mask IS NULL AND json_extract(json, '$.draft.tonality.state') = 'unknown')")
                }
            }
            terms.append(choices.isEmpty ? "0" : "(\(choices.joined(separator: " OR ")))")
        }
        sql = terms.joined(separator: " AND ")
        self.arguments = arguments
    }
}
