/// The kind of a part of a piece.
public enum PartKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The mix, which an app uses in its timeline; with a name, one of the stems of the mix.
    case stem
    /// The preview for listeners.
    case preview
    /// The cover.
    case cover
    /// The attached file.
    case attachment

    /// Returns the description of a part in a sentence: its kind, and the name of a stem except the mix.
    package func called(_ name: String?) -> String { name.map { "\(rawValue) \(PackageFault.quoted($0))" } ?? rawValue }
}
