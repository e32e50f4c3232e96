/// The part of a catalog that was searched because some references could not be reached. The matches are right, but
/// others may be missing.
public struct SearchedPart: Hashable, Sendable, Codable {
    /// The number of references that were searched.
    public var references: Int
    /// The number of all references in the catalog.
    public var of: Int

    /// Creates the description of a searched part.
    public init(references: Int, of all: Int) { (self.references, of) = (references, all) }
}
