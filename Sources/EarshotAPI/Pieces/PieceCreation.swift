package import EarshotPieces

/// The request that begins a drop: `POST /v1/pieces`. The fields of the draft stand beside the others.
package struct PieceCreation: Hashable, Sendable, Codable {
    /// The draft of the piece; it may be invalid.
    package var draft: DraftForm
    /// The author's text about the piece.
    package var description: String
    /// The people who may see the piece.
    package var visibility: Piece.Visibility
    /// The parts that will be sent. A stem among them is needed to publish, not to begin.
    package var parts: [PartAnnouncement]

    /// A creation.
    package init(
        draft: DraftForm,
        description: String = "",
        visibility: Piece.Visibility = .listed,
        parts: [PartAnnouncement]
    ) {
        self.draft = draft
        self.description = description
        self.visibility = visibility
        self.parts = parts
    }

    private enum Keys: String, CodingKey { case description, visibility, parts }

    /// Reads a draft with the other fields beside its own.
    package init(from decoder: any Decoder) throws {
        draft = try DraftForm(from: decoder)
        let values = try decoder.container(keyedBy: Keys.self)
        description = try values.decodeIfPresent(String.self, forKey: .description) ?? ""
        visibility = try values.decodeIfPresent(Piece.Visibility.self, forKey: .visibility) ?? .listed
        parts = try values.decodeIfPresent([PartAnnouncement].self, forKey: .parts) ?? []
    }

    /// Writes the other fields beside those of the draft.
    package func encode(to encoder: any Encoder) throws {
        try draft.encode(to: encoder)
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(description, forKey: .description)
        try values.encode(visibility, forKey: .visibility)
        try values.encode(parts, forKey: .parts)
    }
}
