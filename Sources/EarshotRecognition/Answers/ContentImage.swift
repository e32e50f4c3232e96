/// A picture of a match by its address, with its size.
public struct ContentImage: Hashable, Sendable, Codable {
    /// The address of the bytes, valid for a limited time.
    public var url: String
    /// The size class of the picture: the square into which it fits.
    public var size: ImageSize
    /// The MIME type of the picture, such as `image/png`.
    public var mimeType: String
    /// `true` for a picture of the genre in place of a missing cover.
    public var isGenreArt: Bool
    /// The author and license, to be shown with the picture; `nil` if none are known.
    public var attribution: String?

    /// Creates a picture.
    ///
    /// - Parameters:
    ///   - url: The address of the bytes.
    ///   - size: The size class of the picture.
    ///   - mimeType: The MIME type of the picture.
    ///   - isGenreArt: `true` for a picture of the genre in place of a missing cover.
    ///   - attribution: The author and license; `nil` if none are known.
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
