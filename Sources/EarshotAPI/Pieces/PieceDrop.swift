package import EarshotPieces

/// A drop as the service has it: `GET` and `PUT /v1/pieces/{id}/draft`.
package struct PieceDrop: Hashable, Sendable, Codable {
    /// What the piece is or will be known by.
    package var id: PieceID
    /// `true` if it is published: then it is a piece like others, and its parts stay.
    package var isPublished: Bool
    /// What was said of it.
    package var draft: DraftForm
    /// What its author says of it.
    package var description: String
    /// Who may see it.
    package var visibility: Piece.Visibility
    /// How far each part has come, in the order in which they were announced.
    package var uploads: [UploadState]
    /// What is legal about the draft, and worth a look.
    package var warnings: [DraftWarning]

    /// A drop.
    package init(
        id: PieceID,
        isPublished: Bool,
        draft: DraftForm,
        description: String,
        visibility: Piece.Visibility,
        uploads: [UploadState],
        warnings: [DraftWarning]
    ) {
        (self.id, self.isPublished, self.draft) = (id, isPublished, draft)
        (self.description, self.visibility, self.uploads, self.warnings) = (description, visibility, uploads, warnings)
    }
}

/// What is heard of the mix of a drop, beside what was said of it: `GET /v1/pieces/{id}/heard`.
package struct PieceHearing: Hashable, Sendable, Codable {
    /// The length, the seam of the loop, tempo and key, as far as they are heard.
    package var heard: AudioFindings
    /// The name of the key; `nil` where none is heard.
    package var keyLabel: String?
    /// Where something else is heard than was said.
    package var warnings: [AudioWarning]

    /// What is heard.
    package init(heard: AudioFindings, keyLabel: String?, warnings: [AudioWarning]) {
        (self.heard, self.keyLabel, self.warnings) = (heard, keyLabel, warnings)
    }
}
