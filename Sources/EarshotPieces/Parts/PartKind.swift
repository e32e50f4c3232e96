/// What a part of a piece is for.
public enum PartKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The sound that an app puts on its timeline.
    case stem
    /// The sound that is played to people who look for pieces.
    case preview
    /// The picture.
    case cover
    /// The file that travels along.
    case attachment
}
