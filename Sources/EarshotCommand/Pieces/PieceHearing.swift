import EarshotCore
import EarshotPieces

/// Listens to a piece, and says what is otherwise than was said of it.
struct PieceHearing {
    let intake: PieceIntake

    init(_ intake: PieceIntake) { self.intake = intake }

    /// - Parameter detecting: Whether tempo and key are taken from what is heard, where nothing is said of them.
    func check(_ package: inout PiecePackage, detecting: Bool) async throws -> [PieceWarning] {
        package.draft.warnings.map { PieceWarning($0) }
    }
}
