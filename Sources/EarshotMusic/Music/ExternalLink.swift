/// An identifier in an external catalog, such as a shop or an own database.
public struct ExternalLink: Hashable, Sendable, Codable {
    /// The name of the other catalog.
    public var source: String
    /// The identifier in that catalog: any text, unchanged.
    public var id: String
    /// The address of a page about it; `nil` if there is none.
    public var address: String?

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - source: The name of the other catalog.
    ///   - id: The identifier there.
    ///   - address: The address of a page about it; `nil` if there is none.
    public init(source: String, id: String, address: String? = nil) {
        self.source = source
        self.id = id
        self.address = address
    }
}
