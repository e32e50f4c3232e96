/// A record's identifier in another catalog, such as a shop's article or an entry of a film database.
///
/// It is returned only by a secondary query that requests link data, never by a recognition.
public struct ExternalIdentifier: Hashable, Sendable, Codable {
    /// The name of the other catalog.
    public var source: String
    /// The kind of entity, such as `film`, `dvd`, `channel`.
    public var kind: String
    /// The identifier in that catalog: any text, unchanged.
    public var value: String

    /// Creates an identifier.
    ///
    /// - Parameters:
    ///   - source: The name of the other catalog.
    ///   - kind: The kind of entity.
    ///   - value: The identifier in that catalog.
    public init(source: String, kind: String, value: String) {
        self.source = source
        self.kind = kind
        self.value = value
    }
}
