/// The bytes of a part that no piece has any more, in every place where they are stored. They are still to be removed.
public struct DiscardedPart: Hashable, Sendable {
    /// The identifier of the part.
    public let part: String
    /// The piece that it was a part of.
    public let piece: PieceID

    /// Creates a part to be removed.
    public init(part: String, piece: PieceID) {
        self.part = part
        self.piece = piece
    }
}
