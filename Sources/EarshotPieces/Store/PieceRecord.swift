public import Foundation

/// A piece as a service stores it, from its start until after its removal.
public struct PieceRecord: Hashable, Sendable, Identifiable {
    /// The state of a piece.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// It was begun, and its parts are being uploaded.
        case draft
        /// It is published.
        case published
        /// It was removed; only its identifier and its relations are left.
        case removed
    }

    /// The identifier.
    public let id: PieceID
    /// The identifier of its author.
    public let author: String
    /// The state.
    public var state: State
    /// The details of the piece; `nil` once it is removed.
    public var draft: PieceDraft?
    /// The author's description.
    public var description: String
    /// The visibility.
    public var visibility: Piece.Visibility
    /// The pieces that it is based on, in their order.
    public let basedOn: [PieceID]
    /// The time at which the drop began.
    public let begun: Date
    /// The time of publication; `nil` for a draft.
    public var published: Date?
    /// The parts: at most one of each kind, and the stems except the mix.
    public var parts: [StoredPart]

    /// Creates a new piece.
    ///
    /// - Parameters:
    ///   - id: A new identifier.
    ///   - author: The identifier of its author.
    ///   - draft: The details of the piece.
    ///   - description: The author's description.
    ///   - visibility: The visibility.
    ///   - begun: The time at which the drop began.
    ///   - parts: The parts that will be uploaded.
    public init(
        id: PieceID = PieceID(),
        author: String,
        draft: PieceDraft,
        description: String = "",
        visibility: Piece.Visibility = .listed,
        begun: Date,
        parts: [StoredPart] = []
    ) {
        self.id = id
        self.author = author
        state = .draft
        self.draft = draft
        self.description = description
        self.visibility = visibility
        basedOn = draft.basedOn
        self.begun = begun
        self.parts = parts
    }

    /// Creates a piece from its stored values.
    package init(
        id: PieceID,
        author: String,
        state: State,
        draft: PieceDraft?,
        description: String,
        visibility: Piece.Visibility,
        basedOn: [PieceID],
        begun: Date,
        published: Date?,
        parts: [StoredPart]
    ) {
        self.id = id
        self.author = author
        self.state = state
        self.draft = draft
        self.description = description
        self.visibility = visibility
        self.basedOn = basedOn
        self.begun = begun
        self.published = published
        self.parts = parts
    }

    /// Returns the part of a kind, for stems the mix; `nil` if there is none.
    public func part(_ kind: PartKind) -> StoredPart? { parts.first { $0.kind == kind && $0.name == nil } }

    /// The stems except the mix, in order.
    public var stems: [StoredPart] { parts.filter { $0.kind == .stem && $0.name != nil } }

    /// The announced size of all parts, in bytes.
    package var size: Int { parts.reduce(0) { $0 + $1.size } }

    /// The size of a draft's parts that are announced and not complete, in bytes.
    package var announced: Int {
        state == .draft ? parts.reduce(0) { $0 + ($1.isComplete ? 0 : $1.size) } : 0
    }

    /// The piece without its details and parts.
    package var stub: PieceRecord {
        var stub = self
        stub.state = .removed
        stub.draft = nil
        stub.description = ""
        stub.parts = []
        return stub
    }
}
