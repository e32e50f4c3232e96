/// A reference (a signature with its media items) in the service's catalog.
package struct ReferenceRecord: Hashable, Sendable, Codable {
    /// The name of the reference.
    package var id: String
    /// The duration of the reference, in seconds.
    package var duration: Double
    /// The title of its first media item; `nil` if it has none.
    package var title: String?
    /// The artist of its first media item; `nil` if it has none.
    package var artist: String?
    /// The album of its first media item; `nil` if it has none.
    package var album: String?
    /// The identifier of the track that the reference belongs to; `nil` if it belongs to none.
    package var trackID: String?
    /// The identifier of the file in a media folder that contains its audio; `nil` if none is known, and in lists.
    package var asset: String?

    /// Creates a record.
    package init(
        id: String,
        duration: Double,
        title: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        trackID: String? = nil
    ) {
        self.id = id
        self.duration = duration
        self.title = title
        self.artist = artist
        self.album = album
        self.trackID = trackID
    }
}

/// A page of the references in the service's catalog.
package struct ReferencePage: Hashable, Sendable, Codable {
    /// The references of the page, in the order in which they were added.
    package var references: [ReferenceRecord]
    /// The index of the first reference of the page in the whole list, from 0.
    package var offset: Int
    /// The number of references in the whole list.
    package var total: Int

    /// Creates a page.
    package init(references: [ReferenceRecord], offset: Int, total: Int) {
        self.references = references
        self.offset = offset
        self.total = total
    }
}

/// A version of a catalog that a service offers for download.
package struct CatalogVersion: Hashable, Sendable, Codable {
    /// The name under which the catalog is published.
    package var name: String
    /// The version of the catalog, from 1.
    package var version: Int
    /// The size of the catalog file, in bytes.
    package var size: Int
    /// The number of references in the catalog.
    package var references: Int
    /// The SHA-256 digest of the catalog file, in hexadecimal digits.
    package var sha256: String

    /// Creates a version.
    package init(name: String, version: Int, size: Int, references: Int, sha256: String) {
        self.name = name
        self.version = version
        self.size = size
        self.references = references
        self.sha256 = sha256
    }
}
