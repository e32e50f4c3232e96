/// A resource of a service that belongs to the client that created it.
public struct OwnedResource: Hashable, Sendable {
    /// The kind of a resource.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A reference of the catalog.
        case reference
        /// A published bundle.
        case bundle
        /// A channel that the client feeds.
        case channel
    }

    /// The kind of the resource.
    public let kind: Kind
    /// The identifier of the resource, unique within its kind.
    public let id: String

    /// Creates the identification of a resource.
    public init(_ kind: Kind, _ id: String) {
        self.kind = kind
        self.id = id
    }
}
