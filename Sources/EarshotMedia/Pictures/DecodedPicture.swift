import CFFmpeg
import EarshotCore

/// A picture file brought to pixels: an owner for FFmpeg's frame of red, green, blue and opacity.
///
/// Not thread-safe; making one blocks.
final class DecodedPicture {
    /// The most bytes that are decoded.
    static let maximumByteCount = 32_000_000
    /// The most pixels that are decoded.
    static let maximumPixelCount = 64_000_000
    /// The most pixels of a row, and the most rows: more than JPEG, WebP and GIF can have.
    static let maximumSide = 65_535

    private let frame: UnsafeMutablePointer<AVFrame>

    /// Pixels in a row.
    var width: Int { Int(frame.pointee.width) }
    /// Rows.
    var height: Int { Int(frame.pointee.height) }

    /// Decodes a file; of moving pictures the first.
    ///
    /// - Throws: `assetUnreadable` for what is no picture, is damaged or is too large, which is found before anything is
    ///   decoded; `codecUnsupported` when the FFmpeg here cannot decode its type; `internalError` for want of memory.
    init(_ bytes: [UInt8]) throws(EarshotError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw EarshotError(
                .assetUnreadable,
                "The picture has \(bytes.count) bytes, and \(Self.maximumByteCount) are allowed: use a smaller one."
            )
        }
        let header = try PictureHeader(of: bytes)
        try Self.checkSize(header.width, header.height)
        FFmpegLog.silence()
        var decoded: UnsafeMutablePointer<AVFrame>? = try Self.decode(bytes, header)
        defer { av_frame_free(&decoded) }
        guard let source = decoded else { throw Self.outOfMemory() }
        // A file may hold another picture than its begin promises.
        try Self.checkSize(Int(source.pointee.width), Int(source.pointee.height))
        frame = try Self.colored(source, header)
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// The pixels of a row: red, green, blue, opacity; colors are not multiplied by it.
    func withRow<Result>(_ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // The frame was made with a buffer, and its rows have no other direction.
        let start = frame.pointee.data.0! + row * Int(frame.pointee.linesize.0)
        return body(UnsafeBufferPointer(start: start, count: width * 4))
    }

    // MARK: - Steps

    private static func checkSize(_ width: Int, _ height: Int) throws(EarshotError) {
        guard width > 0, height > 0, max(width, height) <= maximumSide, width * height <= maximumPixelCount else {
            throw EarshotError(
                .assetUnreadable,
                "The picture has \(width) × \(height) pixels, and 64 million are allowed, 65,535 on a side: use a smaller one."
            )
        }
    }

    private static func decode(
        _ bytes: [UInt8],
        _ header: PictureHeader
    ) throws(EarshotError) -> UnsafeMutablePointer<AVFrame> {
        guard let codec = avcodec_find_decoder(codec(header.format)) else {
            throw EarshotError(
                .codecUnsupported,
                "The picture cannot be read because the FFmpeg here has no decoder for \(header.mimeType): install a fuller FFmpeg."
            )
        }
        var context = avcodec_alloc_context3(codec)
        var packet = av_packet_alloc()
        var frame = av_frame_alloc()
        defer {
            avcodec_free_context(&context)
            av_packet_free(&packet)
            av_frame_free(&frame)
        }
        guard let context, let packet, let made = frame, av_new_packet(packet, Int32(clamping: bytes.count)) == 0 else {
            throw outOfMemory()
        }
        packet.pointee.data.update(from: bytes, count: bytes.count)
        context.pointee.max_pixels = Int64(maximumPixelCount)
        // One thread: threads would hold frames back, and pay for long streams only.
        context.pointee.thread_count = 1
        try check(avcodec_open2(context, codec, nil), header)
        try check(avcodec_send_packet(context, packet), header)
        var result = avcodec_receive_frame(context, made)
        if result == earshot_error_again() {
            try check(avcodec_send_packet(context, nil), header)
            result = avcodec_receive_frame(context, made)
        }
        try check(result, header)
        // It is the caller's from here on.
        frame = nil
        return made
    }

    /// The same picture in four bytes a pixel.
    private static func colored(
        _ source: UnsafeMutablePointer<AVFrame>,
        _ header: PictureHeader
    ) throws(EarshotError) -> UnsafeMutablePointer<AVFrame> {
        let converter = earshot_colour_converter(source)
        var target = av_frame_alloc()
        defer {
            sws_freeContext(converter)
            av_frame_free(&target)
        }
        guard let converter else { throw damaged(header, "its colors are unknown") }
        guard let made = target else { throw outOfMemory() }
        made.pointee.width = source.pointee.width
        made.pointee.height = source.pointee.height
        made.pointee.format = AV_PIX_FMT_RGBA.rawValue
        guard av_frame_get_buffer(made, 0) == 0 else { throw outOfMemory() }
        let rows = earshot_convert_colors(converter, source, made)
        guard rows == source.pointee.height else { throw damaged(header, FFmpegText.reason(rows)) }
        target = nil
        return made
    }

    private static func codec(_ format: PictureHeader.Format) -> AVCodecID {
        switch format {
        case .jpeg: AV_CODEC_ID_MJPEG
        case .png: AV_CODEC_ID_PNG
        case .webp: AV_CODEC_ID_WEBP
        case .gif: AV_CODEC_ID_GIF
        case .bmp: AV_CODEC_ID_BMP
        }
    }

    private static func check(_ result: Int32, _ header: PictureHeader) throws(EarshotError) {
        if result == earshot_error_memory() { throw outOfMemory() }
        if result < 0 { throw damaged(header, FFmpegText.reason(result)) }
    }

    private static func damaged(_ header: PictureHeader, _ reason: String) -> EarshotError {
        let type = header.format.rawValue.uppercased()
        return EarshotError(
            .assetUnreadable,
            "The \(type) picture cannot be decoded (\(reason)): it is damaged or of a rare kind; save it again."
        )
    }

    private static func outOfMemory() -> EarshotError {
        EarshotError(.internalError, "The picture cannot be decoded for want of memory: end other programs.")
    }
}
