public import EarshotPieces

/// Pieces that fit a search, the newest first.
public struct PiecePage: Hashable, Sendable, Codable {
    /// The pieces.
    public var pieces: [Piece]
    /// The number of entries before these.
    public var offset: Int
    /// The number of all results.
    public var total: Int

    /// A page.
    public init(pieces: [Piece], offset: Int, total: Int) {
        self.pieces = pieces
        self.offset = offset
        self.total = total
    }
}

/// The ancestors or descendants of a piece, nearest first.
public struct RelativeList: Hashable, Sendable, Codable {
    /// One of them.
    public struct Entry: Hashable, Sendable, Codable {
        /// The piece.
        public var id: PieceID
        /// The distance in steps, by the shortest path.
        public var distance: Int
        /// `true` if it was removed.
        public var isRemoved: Bool
        /// Its title; `nil` if it was removed or may not be seen.
        public var title: String?
        /// Its author; `nil` if it was removed or may not be seen.
        public var author: String?
        /// The pieces that it is based on itself.
        public var basedOn: [PieceID]

        /// A relative.
        public init(
            id: PieceID,
            distance: Int,
            isRemoved: Bool,
            title: String?,
            author: String?,
            basedOn: [PieceID]
        ) {
            self.id = id
            self.distance = distance
            self.isRemoved = isRemoved
            self.title = title
            self.author = author
            self.basedOn = basedOn
        }
    }

    /// The relatives.
    public var relatives: [Entry]

    /// A list.
    public init(_ relatives: [Entry]) {
        self.relatives = relatives
    }
}

/// A change by the owner: missing fields are unchanged.
public struct PieceChange: Hashable, Sendable, Codable {
    /// The title.
    public var title: String?
    /// The author's description.
    public var description: String?
    /// The visibility.
    public var visibility: Piece.Visibility?

    /// A change.
    public init(title: String? = nil, description: String? = nil, visibility: Piece.Visibility? = nil) {
        self.title = title
        self.description = description
        self.visibility = visibility
    }
}
