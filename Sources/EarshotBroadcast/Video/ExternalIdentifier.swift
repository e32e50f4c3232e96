/// A record's identifier in somebody else's catalog: a shop's article, a film database's entry.
///
/// It comes with a secondary query that asks for link data, never with a recognition.
public struct ExternalIdentifier: Hashable, Sendable, Codable {
    /// The name of the other catalog.
    public var source: String
    /// The kind of entity, such as `film`, `dvd`, `channel`.
    public var kind: String
    /// The identifier in that catalog: any text, unchanged.
    public var value: String

    /// An identifier.
    ///
    /// - Parameters:
    ///   - source: The name of the other catalog.
    ///   - kind: The kind of entity.
    ///   - value: The identifier there.
    public init(source: String, kind: String, value: String) {
        self.source = source
        self.kind = kind
        self.value = value
    }
}
