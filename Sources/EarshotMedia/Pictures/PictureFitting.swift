import Dispatch
public import EarshotCore
import Synchronization

/// Scales pictures to fit into a square: the longer side becomes the side of the square, and the proportions are kept.
/// Smaller pictures are enlarged.
public struct PictureFitting: Hashable, Sendable {
    /// The side of the square in pixels, 1 to 2,048.
    public let side: Int
    /// `true` to add transparent margins that make the result a square; `false` for the picture's own proportions.
    public let hasMargins: Bool

    /// Creates a scaling.
    ///
    /// - Parameters:
    ///   - side: The side of the square in pixels, limited to 1 to 2,048.
    ///   - hasMargins: `true` to add transparent margins, with the picture in the middle.
    public init(side: Int, hasMargins: Bool = true) {
        self.side = min(max(1, side), 2_048)
        self.hasMargins = hasMargins
    }

    /// Returns the size of a scaled picture in pixels, without margins. Each side is at least 1.
    ///
    /// - Parameters:
    ///   - width: The width of the picture in pixels, at least 1.
    ///   - height: The height of the picture in pixels, at least 1.
    public func size(width: Int, height: Int) -> (width: Int, height: Int) {
        let scale = Double(side) / Double(max(width, height, 1))
        func scaled(_ length: Int) -> Int { min(max(1, Int((Double(length) * scale).rounded())), side) }
        return (scaled(width), scaled(height))
    }

    /// Decodes and scales a picture file, and returns it as a PNG file with transparency.
    ///
    /// At most four pictures are decoded at a time in a process; others wait.
    ///
    /// - Parameter bytes: A JPEG, PNG, WebP, GIF or BMP file, of at most 32 MB, 64 million pixels and 65,535 pixels on
    ///   a side. Only the first frame of an animation is used.
    /// - Throws: `assetUnreadable` for bytes that are not a picture, are damaged, or exceed the limits, which is
    ///   checked before decoding; `codecUnsupported` if the installed FFmpeg lacks the decoder; `cancelled`.
    public func png(of bytes: [UInt8]) async throws(EarshotError) -> [UInt8] {
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: Self.nextQueue(), cancelling: cancellation) {
            () throws(EarshotError) in try image(of: bytes, cancellation: cancellation).pngData()
        }
        return try result.get()
    }

    /// Decodes and scales a picture file on the caller's thread.
    ///
    /// - Throws: The errors of ``png(of:)``.
    package func image(
        of bytes: [UInt8],
        cancellation: Cancellation = .init()
    ) throws(EarshotError) -> RasterImage {
        try Self.check(cancellation)
        let picture = try DecodedPicture(bytes)
        let (width, height) = size(width: picture.width, height: picture.height)
        let rows = try Self.scaled(
            picture,
            columns: 0..<picture.width,
            rows: 0..<picture.height,
            width: width,
            height: height,
            cancellation
        )
        let (left, top) = hasMargins ? ((side - width) / 2, (side - height) / 2) : (0, 0)
        let (outerWidth, outerHeight) = hasMargins ? (side, side) : (width, height)
        var pixels = [UInt8](repeating: 0, count: outerWidth * outerHeight * 4)
        for row in 0..<height {
            for column in 0..<width {
                let place = ((top + row) * outerWidth + left + column) * 4
                Self.write(rows[row * width + column], to: &pixels, at: place)
            }
        }
        return RasterImage(width: outerWidth, height: outerHeight, pixelFormat: .rgba8, bytes: pixels)
    }

    /// Queues for decoding: few, because each picture may take some 500 MB.
    private static let queues = (0..<4).map { DispatchQueue(label: "earshot.media.picture.\($0)", qos: .userInitiated) }
    private static let turn = Atomic<Int>(0)

    static func nextQueue() -> DispatchQueue {
        queues[(turn.wrappingAdd(1, ordering: .relaxed).newValue & Int.max) % queues.count]
    }

    static func check(_ cancellation: Cancellation) throws(EarshotError) {
        if cancellation.isCancelled { throw EarshotError(.cancelled, "Scaling a picture was canceled.") }
    }

    /// A part of a picture, as pixels with colors multiplied by opacity: mixed otherwise, what is transparent would darken its
    /// neighbours.
    static func scaled(
        _ picture: DecodedPicture,
        columns: Range<Int>,
        rows: Range<Int>,
        width: Int,
        height: Int,
        _ cancellation: Cancellation
    ) throws(EarshotError) -> [SIMD4<Float>] {
        let across = Resampling(from: columns.count, to: width)
        let down = Resampling(from: rows.count, to: height)
        var result = [SIMD4<Float>](repeating: .zero, count: width * height)
        var source = [SIMD4<Float>](repeating: .zero, count: columns.count)
        var mixed = [SIMD4<Float>](repeating: .zero, count: width)
        // Rows that the current one goes into follow each other; the first of them moves on.
        var first = 0
        for row in 0..<rows.count {
            if row % 64 == 0 { try check(cancellation) }
            picture.withRow(rows.lowerBound + row) { bytes in
                for column in source.indices {
                    source[column] = multiplied(bytes, at: (columns.lowerBound + column) * 4)
                }
            }
            across.mix(source, into: &mixed)
            while first < height, down.starts[first] + down.weights[first].count <= row { first += 1 }
            var target = first
            while target < height, down.starts[target] <= row {
                let weight = down.weights[target][row - down.starts[target]]
                let begin = target * width
                for column in mixed.indices { result[begin + column] += mixed[column] * weight }
                target += 1
            }
        }
        return result
    }

    private static func multiplied(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> SIMD4<Float> {
        let alpha = Float(bytes[place + 3])
        let pixel = SIMD4(Float(bytes[place]), Float(bytes[place + 1]), Float(bytes[place + 2]), 255)
        return pixel * (alpha / 255)
    }

    static func write(_ pixel: SIMD4<Float>, to bytes: inout [UInt8], at place: Int) {
        let alpha = min(max(pixel.w, 0), 255)
        // What is not seen has no color.
        guard alpha >= 0.5 else { return }
        let colors = pixel * (255 / alpha)
        for channel in 0..<3 { bytes[place + channel] = UInt8(min(max(colors[channel], 0), 255).rounded()) }
        bytes[place + 3] = UInt8(alpha.rounded())
    }
}
