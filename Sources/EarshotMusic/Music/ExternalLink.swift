/// An identifier in somebody else's catalog: a shop's article, an own database's row.
public struct ExternalLink: Hashable, Sendable, Codable {
    /// The name of the other catalog.
    public var source: String
    /// The identifier in that catalog: any text, unchanged.
    public var id: String
    /// A page to open.
    public var address: String?

    /// A link.
    ///
    /// - Parameters:
    ///   - source: The name of the other catalog.
    ///   - id: The identifier there.
    ///   - address: A page to open.
    public init(source: String, id: String, address: String? = nil) {
        self.source = source
        self.id = id
        self.address = address
    }
}
