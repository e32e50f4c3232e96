/// A record's identifier in somebody else's catalog: a shop's article, a film database's entry.
///
/// It comes with a secondary query that asks for link data, never with a recognition.
public struct ExternalIdentifier: Hashable, Sendable, Codable {
    /// Whose catalog it is.
    public var source: String
    /// What the identifier names there, as `film`, `dvd`, `channel`.
    public var kind: String
    /// The identifier in that catalog: any text, unchanged.
    public var value: String

    /// An identifier.
    ///
    /// - Parameters:
    ///   - source: Whose catalog it is.
    ///   - kind: What the identifier names there.
    ///   - value: The identifier there.
    public init(source: String, kind: String, value: String) {
        self.source = source
        self.kind = kind
        self.value = value
    }
}
