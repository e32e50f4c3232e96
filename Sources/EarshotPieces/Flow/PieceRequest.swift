/// The request in an address that opens an app.
public enum PieceRequest: Hashable, Sendable {
    /// Open a piece.
    case open(PieceID)
    /// Continue a login.
    ///
    /// - Parameters:
    ///   - code: The authorization code of the service.
    ///   - state: The state that the app sent, so that it can recognize its own login.
    case authorize(code: String, state: String)
}
