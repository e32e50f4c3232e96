/// A picture as rows of pixels, from the top left, without gaps between rows.
public struct RasterImage: Hashable, Sendable {
    /// The layout of the bytes of a pixel.
    public enum PixelFormat: Hashable, Sendable, CaseIterable {
        /// Red, green, blue.
        case rgb8
        /// Red, green, blue, and how opaque the pixel is; colors are not multiplied by it.
        case rgba8

        /// Bytes of one pixel.
        public var byteCount: Int { self == .rgb8 ? 3 : 4 }
    }

    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// The layout of the bytes of a pixel.
    public let pixelFormat: PixelFormat
    /// `width × height` pixels.
    public let bytes: [UInt8]

    /// A picture.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row; at least 1.
    ///   - height: Rows; at least 1.
    ///   - pixelFormat: The layout of the bytes of a pixel.
    ///   - bytes: `width × height` pixels.
    public init(width: Int, height: Int, pixelFormat: PixelFormat, bytes: [UInt8]) {
        precondition(width >= 1 && height >= 1, "a picture has pixels")
        precondition(bytes.count == width * height * pixelFormat.byteCount, "a picture holds whole rows")
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.bytes = bytes
    }
}
