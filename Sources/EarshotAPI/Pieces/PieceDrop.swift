package import EarshotPieces

/// The state of a drop (the publication of a piece) at the service: `GET` and `PUT /v1/pieces/{id}/draft`.
package struct PieceDrop: Hashable, Sendable, Codable {
    /// The identifier of the piece, which it has before it is published too.
    package var id: PieceID
    /// `true` if the piece is published; its parts can no longer change.
    package var isPublished: Bool
    /// The current draft of the piece.
    package var draft: DraftForm
    /// The author's description of the piece.
    package var description: String
    /// The visibility of the piece.
    package var visibility: Piece.Visibility
    /// The progress of each part, in the order in which the parts were announced.
    package var uploads: [UploadState]
    /// Warnings about a valid draft.
    package var warnings: [DraftWarning]

    /// Creates a state.
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

/// The analysis of the uploaded mix of a drop, for comparison with the draft: `GET /v1/pieces/{id}/heard`.
package struct PieceHearing: Hashable, Sendable, Codable {
    /// The detected duration, loop points, tempo and key; each missing if it could not be detected.
    package var heard: AudioFindings
    /// The name of the detected key; `nil` if none was detected.
    package var keyLabel: String?
    /// The differences between the analysis and the draft.
    package var warnings: [AudioWarning]

    /// Creates a response.
    package init(heard: AudioFindings, keyLabel: String?, warnings: [AudioWarning]) {
        (self.heard, self.keyLabel, self.warnings) = (heard, keyLabel, warnings)
    }
}
