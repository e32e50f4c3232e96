/// A picture that belongs to a match: where its bytes are, and at which size.
public struct ContentImage: Hashable, Sendable, Codable {
    /// Where the bytes are; valid for a limited time.
    public var url: String
    /// The square that it fits.
    public var size: ImageSize
    /// The type of the bytes.
    public var mimeType: String
    /// `true` if it is art that stands for a genre, for want of a cover.
    public var isGenreArt: Bool
    /// Who made it, and under which license: shown with it.
    public var attribution: String?

    /// A picture.
    ///
    /// - Parameters:
    ///   - url: Where the bytes are.
    ///   - size: The square that it fits.
    ///   - mimeType: The type of the bytes.
    ///   - isGenreArt: `true` if it is art that stands for a genre.
    ///   - attribution: Who made it, and under which license.
    public init(
        url: String,
        size: ImageSize,
        mimeType: String = "image/png",
        isGenreArt: Bool = false,
        attribution: String? = nil
    ) {
        self.url = url
        self.size = size
        self.mimeType = mimeType
        self.isGenreArt = isGenreArt
        self.attribution = attribution
    }
}
