public import Foundation

/// The catalog that an answer comes from.
public struct CatalogIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The catalog's name, such as that of its file.
    public var id: String
    /// The version of the catalog: the publisher's, or a checksum of the file.
    public var version: String
    /// The address that it was opened or fetched from; `nil` for a catalog made in memory.
    public var source: URL?

    /// An identity.
    public init(id: String, version: String, source: URL? = nil) {
        self.id = id
        self.version = version
        self.source = source
    }

    /// The name and the version.
    public var description: String { "\(id) (\(version))" }
}
