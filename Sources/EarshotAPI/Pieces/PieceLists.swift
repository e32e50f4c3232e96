public import EarshotPieces

/// Pieces that fit a search, the newest first.
public struct PiecePage: Hashable, Sendable, Codable {
    /// The pieces.
    public var pieces: [Piece]
    /// The number of entries before these.
    public var offset: Int
    /// How many fit.
    public var total: Int

    /// A page.
    public init(pieces: [Piece], offset: Int, total: Int) {
        self.pieces = pieces
        self.offset = offset
        self.total = total
    }
}

/// What a piece descends from, or what descends from it, the nearest first.
public struct RelativeList: Hashable, Sendable, Codable {
    /// One of them.
    public struct Entry: Hashable, Sendable, Codable {
        /// The piece.
        public var id: PieceID
        /// How many steps away it is, by the shortest way.
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

/// What an owner changes: fields that are left out stay.
public struct PieceChange: Hashable, Sendable, Codable {
    /// The title.
    public var title: String?
    /// What its author says of it.
    public var description: String?
    /// Who may see it.
    public var visibility: Piece.Visibility?

    /// A change.
    public init(title: String? = nil, description: String? = nil, visibility: Piece.Visibility? = nil) {
        self.title = title
        self.description = description
        self.visibility = visibility
    }
}
