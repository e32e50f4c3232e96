import EarshotCore
import EarshotPieces
import HTTPTypes

/// Responses that endpoints of pieces share.
extension Endpoint.Response {
    static var noPiece: Endpoint.Response { .failure(404, "There is no such piece, or it may not be seen.") }
    static var gonePiece: Endpoint.Response { .failure(410, "The piece was removed.") }
    static var foreignPiece: Endpoint.Response { .failure(403, "The piece is somebody else's.") }
}

extension HTTPFailure {
    /// Creates the failure of an invalid draft, with all violations.
    init(_ violations: [DraftViolation]) {
        self.init(
            EarshotError(.pieceInvalid, violations.map(\.reason).joined(separator: " ")),
            violations: violations
        )
    }

    /// Returns the failure for a piece that was removed: status 410.
    static func gone(_ id: PieceID) -> HTTPFailure {
        HTTPFailure(EarshotError(.pieceNotFound, "The piece \(id) was removed: choose another piece."), status: .gone)
    }
}
