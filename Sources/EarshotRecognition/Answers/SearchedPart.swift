/// The part of a catalog that was searched, where some of its references could not be reached: what was found is right, and others may match
/// too.
public struct SearchedPart: Hashable, Sendable, Codable {
    /// The number of references that were searched.
    public var references: Int
    /// The number of all references.
    public var of: Int

    /// A part of a catalog.
    public init(references: Int, of all: Int) { (self.references, of) = (references, all) }
}
