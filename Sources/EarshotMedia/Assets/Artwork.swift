/// A picture embedded in a file, commonly the cover.
public struct Artwork: Hashable, Sendable {
    /// The encoded bytes of the picture file.
    public let bytes: [UInt8]
    /// The MIME type of the picture, for example `image/jpeg`.
    public let mimeType: String

    /// Creates a picture from its encoded bytes.
    public init(bytes: [UInt8], mimeType: String) {
        self.bytes = bytes
        self.mimeType = mimeType
    }
}
