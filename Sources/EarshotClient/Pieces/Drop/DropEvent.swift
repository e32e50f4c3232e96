public import EarshotCore
public import EarshotPieces

/// The progress of the drop of a piece.
public enum DropEvent: Sendable {
    /// The draft and the user are looked at.
    case validating
    /// A user has to log in.
    case waitingForLogin
    /// The app is asked for a part.
    case rendering(PartKind)
    /// The part of a file that has been uploaded, from 0 to 1; for stems, of all together.
    case uploading(PartKind, fraction: Double)
    /// The service publishes the piece. It can no longer be cancelled.
    case finishing
    /// The piece is published: the last event.
    case done(Piece)
    /// It is not, and why: the last event.
    case failed(EarshotError)
    /// It was cancelled: the last event.
    case cancelled

    /// The phase that it belongs to.
    public var phase: DropState.Phase {
        switch self {
        case .validating: .validating
        case .waitingForLogin: .waitingForLogin
        case .rendering: .rendering
        case .uploading: .uploading
        case .finishing: .finishing
        case .done: .done
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
}
