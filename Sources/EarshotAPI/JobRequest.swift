/// Asks a service to do something that takes longer.
public struct JobRequest: Hashable, Sendable, Codable {
    /// The kind of a job.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Fetch audio and add it to the catalog.
        case addReference
        /// Publish the catalog as the newest version under a name.
        case publish
        /// Copy databases and catalog into the data folder.
        case backup
        /// Look for damage.
        case check
    }

    /// The kind of job.
    public var kind: Kind
    /// The address that audio is fetched from.
    public var url: String?
    /// The name of the reference, or of the catalog that is published.
    public var id: String?
    /// The properties of the reference's media item: `title`, `artist`, `album`, `isrc`, `trackID`.
    public var item: [String: String]?

    /// A request.
    public init(kind: Kind, url: String? = nil, id: String? = nil, item: [String: String]? = nil) {
        self.kind = kind
        self.url = url
        self.id = id
        self.item = item
    }
}
