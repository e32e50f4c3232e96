import CommandKit
import EarshotAPI
import EarshotPieces

/// The relatives of a piece as lines of text. One that is reached by two ways is drawn where it is met first, and named at the other.
struct PieceTree {
    let ancestorLines: [String]
    let descendantLines: [String]

    init(_ piece: Piece, ancestors: [RelativeList.Entry], descendants: [RelativeList.Entry]) {
        let known = Dictionary((ancestors + descendants).map { ($0.id, $0) }) { first, _ in first }
        var parents = Dictionary(ancestors.map { ($0.id, $0.basedOn) }) { first, _ in first }
        parents[piece.id] = piece.basedOn
        ancestorLines = Self.lines(from: piece.id, heading: "based on", known) { parents[$0] ?? [] }
        var children: [PieceID: [PieceID]] = [:]
        let family = Set(descendants.map(\.id)).union([piece.id])
        for entry in descendants {
            for parent in entry.basedOn where family.contains(parent) { children[parent, default: []].append(entry.id) }
        }
        descendantLines = Self.lines(from: piece.id, heading: "basis of", known) { children[$0] ?? [] }
    }

    /// The name of a piece in one line.
    static func name(_ id: PieceID, _ title: String?, _ author: String?) -> String {
        guard let title else { return "\(id)" }
        return "\(Terminal.shown(title))\(author.map { " by \(Terminal.shown($0))" } ?? "")  \(id)"
    }

    private static func lines(
        from root: PieceID,
        heading: String,
        _ known: [PieceID: RelativeList.Entry],
        next: (PieceID) -> [PieceID]
    ) -> [String] {
        var lines: [String] = []
        var seen: Set<PieceID> = [root]
        // A stack, as chains may be long: what is left to draw, with what stands before it.
        var waiting: [(id: PieceID, before: String, isLast: Bool)] = []
        func push(_ ids: [PieceID], _ before: String) {
            for (place, id) in ids.enumerated().reversed() { waiting.append((id, before, place == ids.count - 1)) }
        }
        push(next(root), "  ")
        if !waiting.isEmpty { lines.append("  " + Terminal.dim(heading)) }
        while let (id, before, isLast) = waiting.popLast() {
            let entry = known[id]
            let isNew = seen.insert(id).inserted
            var text = name(id, entry?.title, entry?.author)
            if entry?.isRemoved == true { text += Terminal.dim("  removed") }
            if !isNew { text += Terminal.dim("  (above)") }
            lines.append(before + (isLast ? "└ " : "├ ") + text)
            if isNew { push(next(id), before + (isLast ? "  " : "│ ")) }
        }
        return lines
    }
}
