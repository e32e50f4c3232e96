/// A picture embedded in a file, commonly the cover.
public struct Artwork: Hashable, Sendable {
    /// The picture file.
    public let bytes: [UInt8]
    /// Its type, for example `image/jpeg`.
    public let mimeType: String

    /// A picture.
    public init(bytes: [UInt8], mimeType: String) {
        self.bytes = bytes
        self.mimeType = mimeType
    }
}
