public import Foundation

/// The identity of the catalog that an answer comes from.
public struct CatalogIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The catalog's name, such as the name of its file.
    public var id: String
    /// The version of the catalog: that of its publisher, or a checksum of the file.
    public var version: String
    /// The address that it was opened or fetched from; `nil` for a catalog made in memory.
    public var source: URL?

    /// Creates an identity.
    public init(id: String, version: String, source: URL? = nil) {
        self.id = id
        self.version = version
        self.source = source
    }

    /// The name and the version.
    public var description: String { "\(id) (\(version))" }
}
