package import EarshotCore

/// The errors that all stores of pieces throw.
extension EarshotError {
    /// Returns the error for adding a piece with the identifier of another one.
    package static func pieceExists(_ id: PieceID) -> EarshotError {
        EarshotError(.pieceInvalid, "There is a piece \(id) already: give it another identifier.")
    }

    /// Returns the error for a piece based on one that was never published.
    package static func unknownParent(_ parent: PieceID, of id: PieceID) -> EarshotError {
        EarshotError(.unknownParent, "The piece \(id) is based on \(parent), which is not there: check its identifier.")
    }

    /// Returns the error for an unknown author.
    package static func noAuthor(_ id: String) -> EarshotError {
        EarshotError(.entityNotFound, "There is no author \(id.prefix(80)): check the name.")
    }
}
