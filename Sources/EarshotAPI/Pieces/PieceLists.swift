public import EarshotPieces

/// A page of the results of a search for pieces, the newest first.
public struct PiecePage: Hashable, Sendable, Codable {
    /// The pieces of the page.
    public var pieces: [Piece]
    /// The index of the first piece of the page in the whole result, from 0.
    public var offset: Int
    /// The number of pieces in the whole result.
    public var total: Int

    /// Creates a page.
    public init(pieces: [Piece], offset: Int, total: Int) {
        self.pieces = pieces
        self.offset = offset
        self.total = total
    }
}

/// The ancestors or descendants of a piece, nearest first.
public struct RelativeList: Hashable, Sendable, Codable {
    /// An ancestor or descendant of the piece.
    public struct Entry: Hashable, Sendable, Codable {
        /// The identifier of the piece.
        public var id: PieceID
        /// The length of the shortest path between the pieces; 1 for a parent or child.
        public var distance: Int
        /// `true` if the piece was removed.
        public var isRemoved: Bool
        /// The title of the piece; `nil` if it was removed or is not visible to the user.
        public var title: String?
        /// The author of the piece; `nil` if it was removed or is not visible to the user.
        public var author: String?
        /// The identifiers of its own parents, on which it is based.
        public var basedOn: [PieceID]

        /// Creates an entry.
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

    /// The ancestors or descendants, nearest first.
    public var relatives: [Entry]

    /// Creates a list.
    public init(_ relatives: [Entry]) {
        self.relatives = relatives
    }
}

/// A change to a published piece by its owner. Fields that are `nil` are unchanged.
public struct PieceChange: Hashable, Sendable, Codable {
    /// The new title; `nil` for no change.
    public var title: String?
    /// The new description; `nil` for no change.
    public var description: String?
    /// The new visibility; `nil` for no change.
    public var visibility: Piece.Visibility?

    /// Creates a change.
    public init(title: String? = nil, description: String? = nil, visibility: Piece.Visibility? = nil) {
        self.title = title
        self.description = description
        self.visibility = visibility
    }
}
