public import EarshotCore

/// The parents of pieces: an acyclic graph that keeps removed pieces.
public struct ProvenanceGraph: Hashable, Sendable {
    /// A piece that another descends from, or leads to.
    public struct Relative: Hashable, Sendable, Codable {
        /// The piece.
        public let id: PieceID
        /// The distance in steps, by the shortest path; at least one.
        public let distance: Int
        /// `true` if it was removed: its identifier is all that is left.
        public let isRemoved: Bool

        package init(id: PieceID, distance: Int, isRemoved: Bool) {
            self.id = id
            self.distance = distance
            self.isRemoved = isRemoved
        }
    }

    private struct Node: Hashable, Sendable {
        var parents: [PieceID]
        var children: [PieceID] = []
        var isRemoved = false
    }

    private var nodes: [PieceID: Node] = [:]

    /// A graph without pieces.
    public init() {}

    /// The number of pieces, removed ones among them.
    public var count: Int { nodes.count }

    /// Returns `true` if a piece is there and was not removed.
    public func contains(_ id: PieceID) -> Bool { nodes[id].map { !$0.isRemoved } ?? false }

    /// The pieces that one is based on, in their order.
    public func parents(of id: PieceID) -> [PieceID] { nodes[id]?.parents ?? [] }

    /// Adds a piece. As its parents have to be there before, there is never a circle.
    ///
    /// - Parameters:
    ///   - id: A piece that is not there, not even as a removed one.
    ///   - parents: The parents, each once. They may include removed pieces, so that a piece begun before the removal
    ///     can be finished.
    /// - Throws: `unknownParent` for a parent that was never there, `pieceInvalid` for a piece that is there already, or is its own
    ///   parent, or has one twice.
    public mutating func add(_ id: PieceID, basedOn parents: [PieceID]) throws(EarshotError) {
        guard nodes[id] == nil else {
            throw EarshotError(.pieceInvalid, "There is a piece \(id) already: its ancestry cannot be changed.")
        }
        try Self.check(id, basedOn: parents)
        if let missing = parents.first(where: { nodes[$0] == nil }) {
            throw EarshotError.unknownParent(missing, of: id)
        }
        nodes[id] = Node(parents: parents)
        for parent in parents { nodes[parent]?.children.append(id) }
    }

    /// Checks that the parents of a piece are other pieces, each named once.
    ///
    /// - Throws: `pieceInvalid`.
    package static func check(_ id: PieceID, basedOn parents: [PieceID]) throws(EarshotError) {
        guard !parents.contains(id), Set(parents).count == parents.count else {
            throw EarshotError(
                .pieceInvalid,
                "The piece \(id) is based on itself, or on one piece twice: name each other one once."
            )
        }
    }

    /// Removes a piece: its relations stay, as those of a stub.
    ///
    /// - Throws: `pieceNotFound` for an unknown piece.
    public mutating func remove(_ id: PieceID) throws(EarshotError) {
        guard contains(id) else {
            throw EarshotError(.pieceNotFound, "There is no piece \(id): check the identifier.")
        }
        nodes[id]?.isRemoved = true
    }

    /// The ancestors of a piece, nearest first, then in the order in which parents were named.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - limit: The largest number.
    public func ancestors(of id: PieceID, limit: Int = .max) -> [Relative] {
        relatives(of: id, limit: limit) { $0.parents }
    }

    /// The descendants of a piece, nearest first, then in the order in which they were added.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - limit: The largest number.
    public func descendants(of id: PieceID, limit: Int = .max) -> [Relative] {
        relatives(of: id, limit: limit) { $0.children }
    }

    private func relatives(of id: PieceID, limit: Int, next: (Node) -> [PieceID]) -> [Relative] {
        var found: [Relative] = []
        var seen: Set<PieceID> = [id]
        var edge = [id]
        var distance = 1
        while !edge.isEmpty {
            var further: [PieceID] = []
            for id in edge.compactMap({ nodes[$0] }).flatMap(next) where seen.insert(id).inserted {
                guard found.count < limit else { return found }
                found.append(Relative(id: id, distance: distance, isRemoved: nodes[id]?.isRemoved ?? true))
                further.append(id)
            }
            (edge, distance) = (further, distance + 1)
        }
        return found
    }
}
