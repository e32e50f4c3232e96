/// A picture: a cover, an artist, genre art. Its bytes are stored separately.
public struct Picture: Hashable, Sendable, Codable {
    /// The kind of a picture.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The cover of an album.
        case cover
        /// The back cover of an album.
        case back
        /// A picture of an artist.
        case artist
        /// Genre art in place of a cover.
        case genre
    }

    /// The identifier.
    public let id: EntityID<Picture>
    /// The kind of picture.
    public var kind: Kind
    /// The type of its bytes: `image/jpeg`, `image/png`.
    public var mimeType: String
    /// Its width in pixels.
    public var width: Int
    /// Its height in pixels.
    public var height: Int
    /// The author and license, to be shown with the picture.
    public var attribution: String?

    /// Creates the description of a picture.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - kind: The kind of picture.
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
