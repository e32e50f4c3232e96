/// A word for music as an app shows it: the name in a language, and an identifier that is the same in all of them.
///
/// Programs compare ``id``; ``name`` is for showing.
public struct Descriptor: Hashable, Sendable, Codable {
    /// Names the node of the hierarchy, whatever the language. It is unique within a kind and stays the same between
    /// versions.
    public let id: String
    /// The name in the requested language, or in English if that language has none.
    public let name: String

    /// A descriptor.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
