/// The bytes of a part that no piece has any more, wherever they are kept: they are still to be removed.
public struct DiscardedPart: Hashable, Sendable {
    /// The name of the part.
    public let part: String
    /// The piece that it was a part of.
    public let piece: PieceID

    /// A part that is to be removed.
    public init(part: String, piece: PieceID) {
        self.part = part
        self.piece = piece
    }
}
