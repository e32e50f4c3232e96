/// What a part of a piece is for.
public enum PartKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The sound that an app puts on its timeline; with a name, one of the stems that it is made of.
    case stem
    /// The sound that is played to people who look for pieces.
    case preview
    /// The picture.
    case cover
    /// The file that travels along.
    case attachment

    /// What a part is called in a sentence: its kind, and the name of a stem that is not the mix.
    package func called(_ name: String?) -> String { name.map { "\(rawValue) \(PackageFault.quoted($0))" } ?? rawValue }
}
