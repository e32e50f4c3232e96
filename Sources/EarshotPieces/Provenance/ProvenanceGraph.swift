public import EarshotCore

/// The parents of pieces: an acyclic graph that keeps removed pieces.
public struct ProvenanceGraph: Hashable, Sendable {
    /// An ancestor or a descendant of a piece.
    public struct Relative: Hashable, Sendable, Codable {
        /// The piece.
        public let id: PieceID
        /// The distance in steps, by the shortest path; at least 1.
        public let distance: Int
        /// `true` if the piece was removed, so that only its identifier is left.
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

    /// Creates an empty graph.
    public init() {}

    /// The number of pieces, including removed ones.
    public var count: Int { nodes.count }

    /// Returns `true` if the graph has a piece that was not removed.
    public func contains(_ id: PieceID) -> Bool { nodes[id].map { !$0.isRemoved } ?? false }

    /// Returns the pieces that a piece is based on, in order.
    public func parents(of id: PieceID) -> [PieceID] { nodes[id]?.parents ?? [] }

    /// Adds a piece. Its parents must exist before, so there is never a cycle.
    ///
    /// - Parameters:
    ///   - id: A piece that does not exist, not even as a removed one.
    ///   - parents: The parents, each once. They may include removed pieces, so that a piece that was begun before the
    ///     removal can be finished.
    /// - Throws: `unknownParent` for a parent that never existed; `pieceInvalid` for a piece that exists, is its own
    ///   parent, or names a parent twice.
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
    /// - Throws: `pieceInvalid` if not.
    package static func check(_ id: PieceID, basedOn parents: [PieceID]) throws(EarshotError) {
        guard !parents.contains(id), Set(parents).count == parents.count else {
            throw EarshotError(
                .pieceInvalid,
                "The piece \(id) is based on itself, or on one piece twice: name each other one once."
            )
        }
    }

    /// Removes a piece. Its relations are kept.
    ///
    /// - Throws: `pieceNotFound` for an unknown or removed piece.
    public mutating func remove(_ id: PieceID) throws(EarshotError) {
        guard contains(id) else {
            throw EarshotError(.pieceNotFound, "There is no piece \(id): check the identifier.")
        }
        nodes[id]?.isRemoved = true
    }

    /// Returns the ancestors of a piece, nearest first, then in order of naming.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - limit: The largest number.
    public func ancestors(of id: PieceID, limit: Int = .max) -> [Relative] {
        relatives(of: id, limit: limit) { $0.parents }
    }

    /// Returns the descendants of a piece, nearest first, then in order of adding.
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
