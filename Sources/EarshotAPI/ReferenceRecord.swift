/// A reference of the service's catalog.
package struct ReferenceRecord: Hashable, Sendable, Codable {
    /// Its name.
    package var id: String
    /// Its duration, in seconds.
    package var duration: Double
    /// The title of its first media item.
    package var title: String?
    /// The artist.
    package var artist: String?
    /// Its album.
    package var album: String?
    /// The track that it leads to.
    package var trackID: String?
    /// The file of a media folder with its audio; `nil` if none is known, and in lists.
    package var asset: String?

    /// A reference.
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

/// A part of the list of references.
package struct ReferencePage: Hashable, Sendable, Codable {
    /// The references, in order of adding.
    package var references: [ReferenceRecord]
    /// The place of the first, counted from 0.
    package var offset: Int
    /// The number of references of the whole list.
    package var total: Int

    /// A page.
    package init(references: [ReferenceRecord], offset: Int, total: Int) {
        self.references = references
        self.offset = offset
        self.total = total
    }
}

/// A catalog that a service offers for download, in a version.
package struct CatalogVersion: Hashable, Sendable, Codable {
    /// The catalog's name.
    package var name: String
    /// The version, counted from 1.
    package var version: Int
    /// Its bytes.
    package var size: Int
    /// The number of references.
    package var references: Int
    /// The check sum of its bytes: SHA-256 in hexadecimal digits.
    package var sha256: String

    /// A version.
    package init(name: String, version: Int, size: Int, references: Int, sha256: String) {
        self.name = name
        self.version = version
        self.size = size
        self.references = references
        self.sha256 = sha256
    }
}
