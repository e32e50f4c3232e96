public import EarshotCore
public import EarshotPieces

extension PieceClient {
    /// Publishes a piece.
    ///
    /// Cancelling the task cancels the drop and removes its parts, unless the service is already publishing the piece.
    ///
    /// - Parameters:
    ///   - draft: The title and the other details of the piece.
    ///   - providers: The providers of audio, cover and attachment.
    ///   - description: The author's description of the piece.
    ///   - visibility: The visibility of the piece.
    /// - Returns: The piece, as the service tells of it.
    /// - Throws: `providerFailed`, `providerTimedOut`, `stemMissing`, `pieceInvalid`, `coverSizeInvalid`, `attachmentTooLarge`,
    ///   `unknownParent`, `accessDenied` without a user, `networkUnavailable`, `uploadFailed`, `retriesExhausted`, `cancelled`, and what
    ///   else the service says.
    @discardableResult
    public func drop(
        _ draft: PieceDraft,
        _ providers: any DropProviders,
        description: String = "",
        visibility: Piece.Visibility = .listed
    ) async throws(EarshotError) -> Piece {
        try await dropFlow(draft, providers, description: description, visibility: visibility).piece
    }

    /// Begins to publish a piece, and tells how far that is.
    ///
    /// - Parameters:
    ///   - draft: The title and the other details of the piece.
    ///   - providers: The providers of audio, cover and attachment.
    ///   - description: The author's description of the piece.
    ///   - visibility: The visibility of the piece.
    public func dropFlow(
        _ draft: PieceDraft,
        _ providers: any DropProviders,
        description: String = "",
        visibility: Piece.Visibility = .listed
    ) -> DropFlow {
        let work = DropWork(self, draft, providers, description: description, visibility: visibility)
        let flow = DropFlow()
        flow.start { await work.run($0) }
        return flow
    }
}
