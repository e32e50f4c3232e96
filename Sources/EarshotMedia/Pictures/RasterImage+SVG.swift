import CFFmpeg
public import EarshotCore

extension RasterImage {
    /// `true` if the installed FFmpeg can render SVG pictures.
    public static var canRenderSVG: Bool { avcodec_find_decoder(AV_CODEC_ID_SVG) != nil }

    /// Renders an SVG picture.
    ///
    /// Text is drawn with the fonts of the system. The picture is stretched to the requested size.
    ///
    /// - Parameters:
    ///   - svg: The SVG document, in UTF-8.
    ///   - width: The width of the result in pixels, 1 to 16,384.
    ///   - height: The height of the result in pixels, 1 to 16,384.
    /// - Throws: `codecUnsupported` if the installed FFmpeg was built without librsvg; `assetUnreadable` if the
    ///   document cannot be rendered or the size is invalid.
    public static func rendering(svg: [UInt8], width: Int, height: Int) throws(EarshotError) -> RasterImage {
        FFmpegLog.silence()
        guard let codec = avcodec_find_decoder(AV_CODEC_ID_SVG) else {
            throw EarshotError(
                .codecUnsupported,
                "The FFmpeg here cannot draw pictures because it was built without librsvg: write an .svg file instead."
            )
        }
        let sizes = 1...16_384
        guard sizes.contains(width), sizes.contains(height), !svg.isEmpty else {
            throw failure("a size of \(width) × \(height) pixels is not possible")
        }
        var context = avcodec_alloc_context3(codec)
        var frame = av_frame_alloc()
        var packet = av_packet_alloc()
        defer {
            avcodec_free_context(&context)
            av_frame_free(&frame)
            av_packet_free(&packet)
        }
        guard let context, let frame, let packet else { throw failure(FFmpegText.reason(earshot_error_memory())) }
        if let options = context.pointee.priv_data {
            av_opt_set_int(options, "width", Int64(width), 0)
            av_opt_set_int(options, "height", Int64(height), 0)
            av_opt_set_int(options, "keep_ar", 0, 0)
        }
        var result = avcodec_open2(context, codec, nil)
        if result >= 0 { result = fill(packet, svg) }
        if result >= 0 { result = avcodec_send_packet(context, packet) }
        if result >= 0 { result = avcodec_receive_frame(context, frame) }
        guard result >= 0 else { throw failure(FFmpegText.reason(result)) }
        guard let image = image(frame) else { throw failure("FFmpeg drew it in a pixel format of its own") }
        return image
    }

    private static func fill(_ packet: UnsafeMutablePointer<AVPacket>, _ bytes: [UInt8]) -> Int32 {
        let result = av_new_packet(packet, Int32(clamping: bytes.count))
        guard result >= 0, let data = packet.pointee.data else { return result }
        bytes.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            data.update(from: source, count: bytes.count)
        }
        return result
    }

    /// The frame's pixels, which are blue, green, red and opacity with the colors multiplied by it.
    private static func image(_ frame: UnsafeMutablePointer<AVFrame>) -> RasterImage? {
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        guard frame.pointee.format == AV_PIX_FMT_BGRA.rawValue, width > 0, height > 0,
            let source = frame.pointee.data.0
        else { return nil }
        let stride = Int(frame.pointee.linesize.0)
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * 4) { target, count in
            for row in 0..<height {
                for column in 0..<width {
                    let pixel = source + row * stride + column * 4
                    let place = (row * width + column) * 4
                    let opacity = pixel[3]
                    target[place] = plain(pixel[2], opacity)
                    target[place + 1] = plain(pixel[1], opacity)
                    target[place + 2] = plain(pixel[0], opacity)
                    target[place + 3] = opacity
                }
            }
            count = width * height * 4
        }
        return RasterImage(width: width, height: height, pixelFormat: .rgba8, bytes: bytes)
    }

    private static func plain(_ multiplied: UInt8, _ opacity: UInt8) -> UInt8 {
        guard opacity > 0, opacity < 255 else { return multiplied }
        return UInt8(min((Int(multiplied) * 255 + Int(opacity) / 2) / Int(opacity), 255))
    }

    private static func failure(_ reason: String) -> EarshotError {
        EarshotError(
            .assetUnreadable,
            "The SVG picture cannot be drawn (\(reason)): check that the document and the size are right."
        )
    }
}
