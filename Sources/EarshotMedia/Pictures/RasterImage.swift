/// A picture in memory as rows of pixels from the top left, without gaps between rows.
public struct RasterImage: Hashable, Sendable {
    /// The layout of the bytes of a pixel.
    public enum PixelFormat: Hashable, Sendable, CaseIterable {
        /// Three bytes: red, green, blue.
        case rgb8
        /// Four bytes: red, green, blue and opacity. Colors are not multiplied by the opacity.
        case rgba8

        /// The size of a pixel, in bytes.
        public var byteCount: Int { self == .rgb8 ? 3 : 4 }
    }

    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The layout of the bytes of a pixel.
    public let pixelFormat: PixelFormat
    /// The pixels, row by row: `width × height × pixelFormat.byteCount` bytes.
    public let bytes: [UInt8]

    /// Creates a picture from its pixels.
    ///
    /// - Parameters:
    ///   - width: The width in pixels; at least 1.
    ///   - height: The height in pixels; at least 1.
    ///   - pixelFormat: The layout of the bytes of a pixel.
    ///   - bytes: The pixels, exactly `width × height × pixelFormat.byteCount` bytes.
    public init(width: Int, height: Int, pixelFormat: PixelFormat, bytes: [UInt8]) {
        precondition(width >= 1 && height >= 1, "a picture has pixels")
        precondition(bytes.count == width * height * pixelFormat.byteCount, "a picture holds whole rows")
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.bytes = bytes
    }
}
