/// What an address asks of an app.
public enum PieceRequest: Hashable, Sendable {
    /// To open a piece.
    case open(PieceID)
    /// To go on with a log-in.
    ///
    /// - Parameters:
    ///   - code: What the service gave for it.
    ///   - state: What the app sent along, by which it knows the log-in for its own.
    case authorize(code: String, state: String)
}
