import CFFmpeg
public import EarshotCore

extension RasterImage {
    /// Encodes the picture as a PNG file and returns its bytes.
    ///
    /// - Throws: `codecUnsupported` if the installed FFmpeg has no PNG encoder; `internalError` if encoding fails.
    public func pngData() throws(EarshotError) -> [UInt8] {
        FFmpegLog.silence()
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_PNG) else {
            throw EarshotError(
                .codecUnsupported,
                "A picture cannot be written as PNG because the FFmpeg here has no PNG encoder: install a fuller FFmpeg."
            )
        }
        var context = avcodec_alloc_context3(codec)
        var frame = av_frame_alloc()
        var packet = av_packet_alloc()
        defer {
            avcodec_free_context(&context)
            av_frame_free(&frame)
            av_packet_free(&packet)
        }
        guard let context, let frame, let packet else { throw Self.pngFailure(earshot_error_memory()) }
        let format = pixelFormat == .rgb8 ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_RGBA
        context.pointee.width = Int32(clamping: width)
        context.pointee.height = Int32(clamping: height)
        context.pointee.pix_fmt = format
        context.pointee.time_base = AVRational(num: 1, den: 1)
        frame.pointee.width = context.pointee.width
        frame.pointee.height = context.pointee.height
        frame.pointee.format = format.rawValue
        try Self.check(avcodec_open2(context, codec, nil))
        try Self.check(av_frame_get_buffer(frame, 0))
        copyRows(into: frame)
        try Self.check(avcodec_send_frame(context, frame))
        try Self.check(avcodec_receive_packet(context, packet))
        return Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }

    private func copyRows(into frame: UnsafeMutablePointer<AVFrame>) {
        let rowBytes = width * pixelFormat.byteCount
        let stride = Int(frame.pointee.linesize.0)
        guard let target = frame.pointee.data.0 else { return }
        bytes.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            for row in 0..<height {
                (target + row * stride).update(from: source + row * rowBytes, count: rowBytes)
            }
        }
    }

    private static func check(_ result: Int32) throws(EarshotError) {
        if result < 0 { throw pngFailure(result) }
    }

    private static func pngFailure(_ code: Int32) -> EarshotError {
        EarshotError(
            .internalError,
            "Writing a picture as PNG failed (\(FFmpegText.reason(code))): try a smaller picture."
        )
    }
}
