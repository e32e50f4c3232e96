package import EarshotPieces

/// A drop as the service has it: `GET` and `PUT /v1/pieces/{id}/draft`.
package struct PieceDrop: Hashable, Sendable, Codable {
    /// The identifier of the piece, also before it is published.
    package var id: PieceID
    /// `true` if it is published: then it is a piece like others, and its parts stay.
    package var isPublished: Bool
    /// The draft.
    package var draft: DraftForm
    /// The author's text about the piece.
    package var description: String
    /// The people who may see the piece.
    package var visibility: Piece.Visibility
    /// The progress of each part, in the order in which the parts were announced.
    package var uploads: [UploadState]
    /// Warnings about the draft: legal, but worth a look.
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

/// Findings in the audio of a drop's mix, for comparison with the draft: `GET /v1/pieces/{id}/heard`.
package struct PieceHearing: Hashable, Sendable, Codable {
    /// The length, the seam of the loop, tempo and key, as far as they are heard.
    package var heard: AudioFindings
    /// The name of the key; `nil` where none is heard.
    package var keyLabel: String?
    /// Differences between the findings and the draft.
    package var warnings: [AudioWarning]

    /// Creates the answer.
    package init(heard: AudioFindings, keyLabel: String?, warnings: [AudioWarning]) {
        (self.heard, self.keyLabel, self.warnings) = (heard, keyLabel, warnings)
    }
}
