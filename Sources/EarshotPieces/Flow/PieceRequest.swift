/// The request in an address that opens an app.
public enum PieceRequest: Hashable, Sendable {
    /// To open a piece.
    case open(PieceID)
    /// Continue a login.
    ///
    /// - Parameters:
    ///   - code: The authorization code of the service.
    ///   - state: The state that the app sent, by which it recognizes its own login.
    case authorize(code: String, state: String)
}
