public import Foundation

/// A piece that was published, as a service tells of it.
public struct Piece: Hashable, Sendable, Codable, Identifiable {
    /// Who may see a piece.
    public enum Visibility: String, Hashable, Sendable, Codable, CaseIterable {
        /// Everybody; it is found.
        case listed
        /// Whoever knows its address.
        case unlisted
        /// Its owner.
        case `private`
    }

    /// What it is known by.
    public let id: PieceID
    /// The title.
    public let title: String
    /// What its author says of it.
    public let description: String
    /// When it was published.
    public let createdAt: Date
    /// Where people look at it.
    public let address: URL
    /// Who published it.
    public let author: String
    /// How long its sound is.
    public let length: Microseconds
    /// The tempo, where it is known and kept.
    public let tempo: FixedTempo?
    /// What is repeated, where the piece is a loop.
    public let loop: LoopMarkers?
    /// The time signature, where it is known and kept.
    public let timeSignature: TimeSignature?
    /// The pieces that it is based on, in their order; some may have been removed since.
    public let basedOn: [PieceID]
    /// The key.
    public let tonality: Tonality
    /// What the key is called.
    public let label: String
    /// What older services called the key.
    public let legacyLabel: String?
    /// Who may see it.
    public let visibility: Visibility
    /// Whether there is a cover.
    public let hasCover: Bool
    /// Whether there is a preview of its own; otherwise the mix stem serves.
    public let hasPreview: Bool
    /// The name of the file that travels along; nothing where there is none.
    public let attachmentName: String?
    /// The names of the stems besides the mix, in their order.
    public let stems: [String]

    /// A piece.
    public init(
        id: PieceID,
        draft: PieceDraft,
        description: String = "",
        createdAt: Date,
        address: URL,
        author: String,
        visibility: Visibility = .listed,
        hasCover: Bool = false,
        hasPreview: Bool = false,
        attachmentName: String? = nil,
        stems: [String] = []
    ) {
        self.id = id
        title = draft.title
        self.description = description
        self.createdAt = createdAt
        self.address = address
        self.author = author
        length = draft.length
        tempo = draft.tempo
        loop = draft.loop
        timeSignature = draft.timeSignature
        basedOn = draft.basedOn
        tonality = draft.tonality
        label = draft.tonality.label
        legacyLabel = draft.tonality.legacyLabel
        self.visibility = visibility
        self.hasCover = hasCover
        self.hasPreview = hasPreview
        self.attachmentName = attachmentName
        self.stems = stems
    }
}
