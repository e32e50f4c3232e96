public import Foundation

/// The catalog that an answer comes from.
public struct CatalogIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The catalog's name, such as that of its file.
    public var id: String
    /// Which state of it: what its publisher calls it, or a checksum of what a file holds.
    public var version: String
    /// Where it was opened or fetched from; `nil` for one that was made in memory.
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
