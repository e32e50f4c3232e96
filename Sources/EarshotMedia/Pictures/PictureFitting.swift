import Dispatch
public import EarshotCore
import Synchronization

/// Brings picture files of any size to a square: the longer side of the picture becomes the side of the square, the shorter
/// keeps its proportion. Smaller pictures grow.
public struct PictureFitting: Hashable, Sendable {
    /// The side of the square in pixels, 1 to 2,048.
    public let side: Int
    /// `true` if transparent margins fill the square; without them the picture has its own two sides.
    public let hasMargins: Bool

    /// A way of bringing pictures to a square.
    ///
    /// - Parameters:
    ///   - side: The side of the square in pixels, 1 to 2,048; what is outside is taken as the nearest.
    ///   - hasMargins: `true` if transparent margins fill the square, the picture in its middle.
    public init(side: Int, hasMargins: Bool = true) {
        self.side = min(max(1, side), 2_048)
        self.hasMargins = hasMargins
    }

    /// The size of a picture in the square, without margins: the longer side fills it, the shorter has at least one pixel.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row, at least 1.
    ///   - height: Rows, at least 1.
    public func size(width: Int, height: Int) -> (width: Int, height: Int) {
        let scale = Double(side) / Double(max(width, height, 1))
        func scaled(_ length: Int) -> Int { min(max(1, Int((Double(length) * scale).rounded())), side) }
        return (scaled(width), scaled(height))
    }

    /// A picture file in the square, as a PNG file with transparency.
    ///
    /// At most four pictures are decoded at once in a process; others wait.
    ///
    /// - Parameter bytes: A JPEG, PNG, WebP, GIF or BMP file, of at most 32 MB, 64 million pixels and 65,535 on a side. Of
    ///   moving pictures the first is taken.
    /// - Throws: `assetUnreadable` for what is no picture, is damaged or is too large, which is found before anything is
    ///   decoded; `codecUnsupported` when the FFmpeg here lacks the decoder; `cancelled`.
    public func png(of bytes: [UInt8]) async throws(EarshotError) -> [UInt8] {
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: Self.nextQueue(), cancelling: cancellation) {
            () throws(EarshotError) in try image(of: bytes, cancellation: cancellation).pngData()
        }
        return try result.get()
    }

    /// A picture file in the square, on the caller's thread.
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
        if cancellation.isCancelled { throw EarshotError(.cancelled, "Scaling a picture was cancelled.") }
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
