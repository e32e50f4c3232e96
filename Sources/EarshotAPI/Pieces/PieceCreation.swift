package import EarshotPieces

/// The request that begins a drop, the publication of a piece: `POST /v1/pieces`. In JSON the fields of the draft are
/// beside the others.
package struct PieceCreation: Hashable, Sendable, Codable {
    /// The draft of the piece. The service checks it.
    package var draft: DraftForm
    /// The author's description of the piece.
    package var description: String
    /// The visibility of the piece.
    package var visibility: Piece.Visibility
    /// The parts that the client will upload. A stem is required to publish the piece, but can be announced later.
    package var parts: [PartAnnouncement]

    /// Creates a request.
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

    /// Decodes the fields of the draft and the others from one object.
    ///
    /// - Throws: The errors of the decoder.
    package init(from decoder: any Decoder) throws {
        draft = try DraftForm(from: decoder)
        let values = try decoder.container(keyedBy: Keys.self)
        description = try values.decodeIfPresent(String.self, forKey: .description) ?? ""
        visibility = try values.decodeIfPresent(Piece.Visibility.self, forKey: .visibility) ?? .listed
        parts = try values.decodeIfPresent([PartAnnouncement].self, forKey: .parts) ?? []
    }

    /// Encodes the fields of the draft and the others in one object.
    ///
    /// - Throws: The errors of the encoder.
    package func encode(to encoder: any Encoder) throws {
        try draft.encode(to: encoder)
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(description, forKey: .description)
        try values.encode(visibility, forKey: .visibility)
        try values.encode(parts, forKey: .parts)
    }
}
