public import EarshotMedia

extension TagPicture {
    /// Bytes of a cover at most: more would make every file of an album larger by as much.
    public static let mostCoverBytes = 8 << 20

    /// A front cover from the response of a server.
    ///
    /// - Parameter bytes: The answer.
    /// - Returns: `nil` unless the data is a JPEG or PNG file that states its size and is no larger than
    ///   ``mostCoverBytes``.
    public static func cover(from bytes: [UInt8]) -> TagPicture? {
        guard bytes.count <= mostCoverBytes, let header = try? PictureHeader(of: bytes),
            ["image/jpeg", "image/png"].contains(header.mimeType)
        else { return nil }
        return TagPicture(bytes: bytes, mimeType: header.mimeType)
    }

    /// Returns `true` if a kind of file can hold it.
    func fits(_ container: TagContainer) -> Bool {
        // MP4 numbers the few types that it knows.
        container.format != .mp4 || ["image/jpeg", "image/png", "image/gif", "image/bmp"].contains(mimeType)
    }
}
