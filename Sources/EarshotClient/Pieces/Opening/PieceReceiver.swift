public import EarshotCore

/// Takes pieces that a user wants to open in the app.
@MainActor
public protocol PieceReceiver: AnyObject, Sendable {
    /// An address was opened: the piece that it leads to, or why there is none.
    func receive(_ result: Result<OpenedPiece, EarshotError>)
}
