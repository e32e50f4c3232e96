public import EarshotCore
public import EarshotPieces

/// An event of the drop of a piece, which is its publication at a service.
public enum DropEvent: Sendable {
    /// The draft is checked, and the stored account is looked up.
    case validating
    /// The user must log in before the drop continues.
    case waitingForLogin
    /// The app's provider is asked for a part: the mix, stems, cover or attachment.
    case rendering(PartKind)
    /// The part that is being uploaded, and its uploaded fraction, from 0 to 1; for stems, of all stems together.
    case uploading(PartKind, fraction: Double)
    /// The service publishes the piece. The drop can no longer be canceled.
    case finishing
    /// The piece is published. This is the last event.
    case done(Piece)
    /// The drop failed with an error. This is the last event.
    case failed(EarshotError)
    /// The drop was canceled. This is the last event.
    case cancelled

    /// The phase of the drop that the event belongs to.
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
