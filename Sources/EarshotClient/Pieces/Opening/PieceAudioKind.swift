/// Which sound of a piece.
public enum PieceAudioKind: String, Hashable, Sendable, CaseIterable {
    /// The sound that an app puts on its timeline.
    case stem
    /// The sound that is played to people who look for pieces; the stem, where a piece has none of its own.
    case preview
}
