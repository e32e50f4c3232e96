/// A request to start a job.
public struct JobRequest: Hashable, Sendable, Codable {
    /// The kind of a job.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Fetches audio and adds it to the catalog as a reference.
        case addReference
        /// Publish the catalog as the newest version under a name.
        case publish
        /// Copies the databases and the catalog into a backup in the data folder.
        case backup
        /// Checks the catalog and the databases for damage.
        case check
    }

    /// The kind of job.
    public var kind: Kind
    /// The address of the audio of a new reference; `nil` for other jobs.
    public var url: String?
    /// The name of the new reference, or the name under which the catalog is published; `nil` for other jobs.
    public var id: String?
    /// The properties of the new reference's media item: `title`, `artist`, `album`, `isrc`, `trackID`; `nil` for none.
    public var item: [String: String]?

    /// Creates a request.
    public init(kind: Kind, url: String? = nil, id: String? = nil, item: [String: String]? = nil) {
        self.kind = kind
        self.url = url
        self.id = id
        self.item = item
    }
}
