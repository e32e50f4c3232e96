/// A picture: a cover, an artist, art that stands for a genre. Its bytes are kept beside it.
public struct Picture: Hashable, Sendable, Codable {
    /// What it shows.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The cover of an album.
        case cover
        /// The back of an album's cover.
        case back
        /// An artist.
        case artist
        /// Art that stands for a genre, where there is no cover.
        case genre
    }

    /// The identifier.
    public let id: EntityID<Picture>
    /// What it shows.
    public var kind: Kind
    /// The type of its bytes: `image/jpeg`, `image/png`.
    public var mimeType: String
    /// Its width in pixels.
    public var width: Int
    /// Its height in pixels.
    public var height: Int
    /// Who made it, and under which license: shown with it.
    public var attribution: String?

    /// A picture.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - kind: What it shows.
    ///   - mimeType: The type of its bytes.
    ///   - width: Its width in pixels.
    ///   - height: Its height in pixels.
    public init(id: EntityID<Picture>, kind: Kind, mimeType: String, width: Int, height: Int) {
        self.id = id
        self.kind = kind
        self.mimeType = mimeType
        self.width = width
        self.height = height
    }
}
