public import EarshotCore
public import EarshotPieces

extension PieceClient {
    /// Publishes a piece, and returns it when it is published.
    ///
    /// Canceling the task cancels the drop and removes its parts, unless the service is already publishing the piece.
    ///
    /// - Parameters:
    ///   - draft: The title and the other details of the piece.
    ///   - providers: The providers of audio, cover and attachment.
    ///   - description: The author's description of the piece.
    ///   - visibility: The visibility of the piece.
    /// - Returns: The published piece, as the service describes it.
    /// - Throws: `providerFailed`, `providerTimedOut`, `stemMissing`, `pieceInvalid`, `coverSizeInvalid`,
    ///   `attachmentTooLarge`, `unknownParent`, `accessDenied` if no user is logged in, `networkUnavailable`,
    ///   `uploadFailed`, `retriesExhausted`, `cancelled`, and the service's other errors.
    @discardableResult
    public func drop(
        _ draft: PieceDraft,
        _ providers: any DropProviders,
        description: String = "",
        visibility: Piece.Visibility = .listed
    ) async throws(EarshotError) -> Piece {
        try await dropFlow(draft, providers, description: description, visibility: visibility).piece
    }

    /// Starts to publish a piece, and returns the running drop, which reports its progress.
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
