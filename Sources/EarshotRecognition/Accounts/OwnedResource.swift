/// A resource that belongs to the client that made it.
public struct OwnedResource: Hashable, Sendable {
    /// A kind of resources.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A reference of the catalog.
        case reference
        /// A published bundle.
        case bundle
        /// A channel that is fed.
        case channel
    }

    /// The kind.
    public let kind: Kind
    /// The identifier, unique within the kind.
    public let id: String

    /// A resource.
    public init(_ kind: Kind, _ id: String) {
        self.kind = kind
        self.id = id
    }
}
