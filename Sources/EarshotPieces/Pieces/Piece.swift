public import Foundation

/// A published piece, as a service describes it.
public struct Piece: Hashable, Sendable, Codable, Identifiable {
    /// The visibility of a piece.
    public enum Visibility: String, Hashable, Sendable, Codable, CaseIterable {
        /// Visible to everyone, and found by searches.
        case listed
        /// Visible to everyone who knows its address.
        case unlisted
        /// Visible to its owner.
        case `private`
    }

    /// The identifier.
    public let id: PieceID
    /// The title.
    public let title: String
    /// The author's description.
    public let description: String
    /// The time of publication.
    public let createdAt: Date
    /// The address of its web page.
    public let address: URL
    /// The author's name.
    public let author: String
    /// The duration of its audio.
    public let length: Microseconds
    /// The tempo; `nil` if it is unknown or not constant.
    public let tempo: FixedTempo?
    /// The loop; `nil` if the piece is not a loop.
    public let loop: LoopMarkers?
    /// The time signature; `nil` if it is unknown or not constant.
    public let timeSignature: TimeSignature?
    /// The pieces that it is based on, in order; some may have been removed since.
    public let basedOn: [PieceID]
    /// The key.
    public let tonality: Tonality
    /// The English label of the key.
    public let label: String
    /// The label of the key in older services; `nil` if the piece is not tonal.
    public let legacyLabel: String?
    /// The visibility.
    public let visibility: Visibility
    /// `true` if there is a cover.
    public let hasCover: Bool
    /// `true` if it has its own preview; otherwise the mix serves.
    public let hasPreview: Bool
    /// The name of the attached file; `nil` if there is none.
    public let attachmentName: String?
    /// The names of the stems except the mix, in order.
    public let stems: [String]

    private enum CodingKeys: String, CodingKey {
        case id, title, description, createdAt, address, author, length, tempo, loop, timeSignature, basedOn, tonality
        case label, legacyLabel, visibility, hasCover, hasPreview, attachmentName, stems
    }

    /// Creates a piece.
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
        label = draft.keyLabel
        legacyLabel = draft.tonality.legacyLabel
        self.visibility = visibility
        self.hasCover = hasCover
        self.hasPreview = hasPreview
        self.attachmentName = attachmentName
        self.stems = stems
    }

    /// Decodes the response of a service; unknown fields are ignored.
    ///
    /// - Throws: `DecodingError` for a missing field, and for an invalid length, tempo, loop or time signature.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(PieceID.self, forKey: .id)
        title = try values.decode(String.self, forKey: .title)
        description = try values.decode(String.self, forKey: .description)
        createdAt = try values.decode(Date.self, forKey: .createdAt)
        address = try values.decode(URL.self, forKey: .address)
        author = try values.decode(String.self, forKey: .author)
        length = try values.decode(Microseconds.self, forKey: .length)
        tempo = try values.decodeIfPresent(FixedTempo.self, forKey: .tempo)
        loop = try values.decodeIfPresent(LoopMarkers.self, forKey: .loop)
        timeSignature = try values.decodeIfPresent(TimeSignature.self, forKey: .timeSignature)
        basedOn = try values.decode([PieceID].self, forKey: .basedOn)
        tonality = try values.decode(Tonality.self, forKey: .tonality)
        label = try values.decode(String.self, forKey: .label)
        legacyLabel = try values.decodeIfPresent(String.self, forKey: .legacyLabel)
        visibility = try values.decode(Visibility.self, forKey: .visibility)
        hasCover = try values.decode(Bool.self, forKey: .hasCover)
        hasPreview = try values.decode(Bool.self, forKey: .hasPreview)
        attachmentName = try values.decodeIfPresent(String.self, forKey: .attachmentName)
        stems = try values.decode([String].self, forKey: .stems)
        // Apps compute with these values, so a response with values that no draft may have is refused.
        let form = DraftForm(title: title, length: length, tempo: tempo, loop: loop, timeSignature: timeSignature)
        let fields: [DraftViolation.Field] = [.length, .tempo, .loop, .timeSignature]
        if let violation = form.violations.first(where: { fields.contains($0.field) }) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: values.codingPath, debugDescription: violation.reason)
            )
        }
    }
}
