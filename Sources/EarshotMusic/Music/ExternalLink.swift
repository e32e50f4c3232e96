/// An identifier in somebody else's catalog: a shop's article, an own database's row.
public struct ExternalLink: Hashable, Sendable, Codable {
    /// Whose catalog it is.
    public var source: String
    /// The identifier there: any text, kept as it is.
    public var id: String
    /// A page to open.
    public var address: String?

    /// A link.
    ///
    /// - Parameters:
    ///   - source: Whose catalog it is.
    ///   - id: The identifier there.
    ///   - address: A page to open.
    public init(source: String, id: String, address: String? = nil) {
        self.source = source
        self.id = id
        self.address = address
    }
}
