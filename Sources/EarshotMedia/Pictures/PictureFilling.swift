package import EarshotCore

/// Scales pictures to fill a square: the shorter side becomes the side of the square, and the longer one is cropped
/// equally at both ends. Smaller pictures are enlarged.
package struct PictureFilling: Hashable, Sendable {
    /// The side of the square in pixels, 1 to 2,048.
    package let side: Int

    /// Creates a scaling.
    ///
    /// - Parameter side: The side of the square in pixels, limited to 1 to 2,048.
    package init(side: Int) {
        self.side = min(max(1, side), 2_048)
    }

    /// The part of a picture that is taken: the square in its middle.
    static func region(width: Int, height: Int) -> (left: Int, top: Int, side: Int) {
        let side = min(width, height)
        return ((width - side) / 2, (height - side) / 2, side)
    }

    /// Decodes a picture file, scales and crops it, and returns it as a PNG file, with transparency if the picture has
    /// some.
    ///
    /// At most four pictures are decoded at a time in a process; others wait.
    ///
    /// - Parameter bytes: A JPEG, PNG, WebP, GIF or BMP file, of at most 32 MB, 64 million pixels and 65,535 pixels on
    ///   a side. Only the first frame of an animation is used.
    /// - Throws: `assetUnreadable` for bytes that are not a picture, are damaged, or exceed the limits, which is
    ///   checked before decoding; `codecUnsupported` if the installed FFmpeg lacks the decoder; `cancelled`.
    package func png(of bytes: [UInt8]) async throws(EarshotError) -> [UInt8] {
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: PictureFitting.nextQueue(), cancelling: cancellation) {
            () throws(EarshotError) in try image(of: bytes, cancellation: cancellation).pngData()
        }
        return try result.get()
    }

    /// Decodes, scales and crops a picture file on the caller's thread.
    ///
    /// - Throws: The errors of ``png(of:)``.
    package func image(
        of bytes: [UInt8],
        cancellation: Cancellation = .init()
    ) throws(EarshotError) -> RasterImage {
        try PictureFitting.check(cancellation)
        let picture = try DecodedPicture(bytes)
        let region = Self.region(width: picture.width, height: picture.height)
        let rows = try PictureFitting.scaled(
            picture,
            columns: region.left..<region.left + region.side,
            rows: region.top..<region.top + region.side,
            width: side,
            height: side,
            cancellation
        )
        var pixels = [UInt8](repeating: 0, count: side * side * 4)
        for place in rows.indices { PictureFitting.write(rows[place], to: &pixels, at: place * 4) }
        return RasterImage(width: side, height: side, pixelFormat: .rgba8, bytes: pixels)
    }
}
