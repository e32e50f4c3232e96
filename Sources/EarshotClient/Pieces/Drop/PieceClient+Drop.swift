public import EarshotCore
public import EarshotPieces

extension PieceClient {
    /// Publishes a piece.
    ///
    /// Cancelling the task cancels the drop, as long as the service does not publish the piece already; nothing of it is left then.
    ///
    /// - Parameters:
    ///   - draft: What is said of the piece.
    ///   - providers: Give its sound, cover and attachment.
    ///   - description: What its author says of it.
    ///   - visibility: Who may see it.
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
    ///   - draft: What is said of the piece.
    ///   - providers: Give its sound, cover and attachment.
    ///   - description: What its author says of it.
    ///   - visibility: Who may see it.
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
