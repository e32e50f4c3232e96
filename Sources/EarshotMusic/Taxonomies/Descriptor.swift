/// A term that describes music, such as a genre: its name in one language, and an identifier that is the same in all languages.
///
/// Compare ``id`` in programs; ``name`` is for display.
public struct Descriptor: Hashable, Sendable, Codable {
    /// The identifier of the node in its taxonomy. It is unique within a kind and stays the same between
    /// versions.
    public let id: String
    /// The name in the requested language, or in English if that language has none.
    public let name: String

    /// Creates a descriptor.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
