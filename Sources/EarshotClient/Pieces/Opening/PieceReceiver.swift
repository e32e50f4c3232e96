public import EarshotCore

/// Receives the pieces that a user opens in the app by an address.
@MainActor
public protocol PieceReceiver: AnyObject, Sendable {
    /// Called when an address was opened: with the fetched piece, or the error if it could not be fetched.
    func receive(_ result: Result<OpenedPiece, EarshotError>)
}
