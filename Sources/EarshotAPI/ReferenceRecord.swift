/// A reference of the service's catalog.
public struct ReferenceRecord: Hashable, Sendable, Codable {
    /// Its name.
    public var id: String
    /// How long it is, in seconds.
    public var duration: Double
    /// What its first media item is called.
    public var title: String?
    /// Whose it is.
    public var artist: String?
    /// The track that it leads to.
    public var trackID: String?

    /// A reference.
    public init(id: String, duration: Double, title: String? = nil, artist: String? = nil, trackID: String? = nil) {
        self.id = id
        self.duration = duration
        self.title = title
        self.artist = artist
        self.trackID = trackID
    }
}

/// A part of the list of references.
public struct ReferencePage: Hashable, Sendable, Codable {
    /// The references, in order of adding.
    public var references: [ReferenceRecord]
    /// The place of the first, counted from 0.
    public var offset: Int
    /// How many there are in all.
    public var total: Int

    /// A page.
    public init(references: [ReferenceRecord], offset: Int, total: Int) {
        self.references = references
        self.offset = offset
        self.total = total
    }
}

/// A catalog that a service offers for download, in a version.
public struct CatalogVersion: Hashable, Sendable, Codable {
    /// The catalog's name.
    public var name: String
    /// The version, counted from 1.
    public var version: Int
    /// Its bytes.
    public var size: Int
    /// How many references it has.
    public var references: Int
    /// The check sum of its bytes: SHA-256 in hexadecimal digits.
    public var sha256: String

    /// A version.
    public init(name: String, version: Int, size: Int, references: Int, sha256: String) {
        self.name = name
        self.version = version
        self.size = size
        self.references = references
        self.sha256 = sha256
    }
}
