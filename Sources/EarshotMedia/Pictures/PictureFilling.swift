package import EarshotCore

/// Brings picture files of any size to a square that they fill: the shorter side of the picture becomes the side of the square, and of
/// the longer one what stands out at both ends is cut off. Smaller pictures grow.
package struct PictureFilling: Hashable, Sendable {
    /// The side of the square in pixels, 1 to 2,048.
    package let side: Int

    /// A way of filling a square.
    ///
    /// - Parameter side: The side of the square in pixels, 1 to 2,048; what is outside is taken as the nearest.
    package init(side: Int) {
        self.side = min(max(1, side), 2_048)
    }

    /// The part of a picture that is taken: the square in its middle.
    static func region(width: Int, height: Int) -> (left: Int, top: Int, side: Int) {
        let side = min(width, height)
        return ((width - side) / 2, (height - side) / 2, side)
    }

    /// The middle of a picture file, as a PNG file with transparency where the picture has some.
    ///
    /// At most four pictures are decoded at once in a process; others wait.
    ///
    /// - Parameter bytes: A JPEG, PNG, WebP, GIF or BMP file, of at most 32 MB, 64 million pixels and 65,535 on a side. Of
    ///   moving pictures the first is taken.
    /// - Throws: `assetUnreadable` for what is no picture, is damaged or is too large, which is found before anything is
    ///   decoded; `codecUnsupported` when the FFmpeg here lacks the decoder; `cancelled`.
    package func png(of bytes: [UInt8]) async throws(EarshotError) -> [UInt8] {
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: PictureFitting.nextQueue(), cancelling: cancellation) {
            () throws(EarshotError) in try image(of: bytes, cancellation: cancellation).pngData()
        }
        return try result.get()
    }

    /// The middle of a picture file, on the caller's thread.
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
