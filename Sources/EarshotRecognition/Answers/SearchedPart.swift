/// The part of a catalog that was searched, if some references could not be reached: the matches are right, but others
/// may be missing.
public struct SearchedPart: Hashable, Sendable, Codable {
    /// The number of references that were searched.
    public var references: Int
    /// The number of all references.
    public var of: Int

    /// A part of a catalog.
    public init(references: Int, of all: Int) { (self.references, of) = (references, all) }
}
