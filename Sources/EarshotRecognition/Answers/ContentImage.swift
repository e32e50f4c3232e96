/// A picture that belongs to a match: where its bytes are, and at which size.
public struct ContentImage: Hashable, Sendable, Codable {
    /// The address of the bytes, valid for a limited time.
    public var url: String
    /// The square that it fits.
    public var size: ImageSize
    /// The type of the bytes.
    public var mimeType: String
    /// `true` if it is genre art in place of a cover.
    public var isGenreArt: Bool
    /// The author and license, to be shown with the picture.
    public var attribution: String?

    /// A picture.
    ///
    /// - Parameters:
    ///   - url: The address of the bytes.
    ///   - size: The square that it fits.
    ///   - mimeType: The type of the bytes.
    ///   - isGenreArt: `true` if it is genre art.
    ///   - attribution: The author and license.
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
