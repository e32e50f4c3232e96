import CFFmpeg
import EarshotCore

/// Encodes samples to packets: an owner for FFmpeg's codec context, packet and frame.
///
/// Not thread-safe; its calls block.
final class PacketEncoder {
    private let codec: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let name: String
    private let channelCount: Int
    /// Frames that the encoder takes at once.
    private let frameSize: Int
    /// Frames that ``frame`` holds already.
    private var held = 0
    private var position: Int64 = 0
    private var quantizer: Quantizer?
    private let significantBits: Int

    var timeBase: AVRational { codec.pointee.time_base }

    /// Opens an encoder.
    ///
    /// - Parameters:
    ///   - settings: The settings of the file; the encoding is neither PCM nor a copy of packets.
    ///   - muxer: The container; its stream is given what a decoder has to know.
    ///   - name: The destination, for messages.
    /// - Throws: `codecUnsupported` when FFmpeg lacks the encoder, `pipelineRefused` when it does not take the rate or the
    ///   channels.
    init(_ settings: EncoderSettings, into muxer: Muxer) throws(EarshotError) {
        name = muxer.name
        channelCount = settings.channelCount
        significantBits = settings.significantBits
        guard let encoder = Self.encoder(settings.encoding) else {
            throw EarshotError(
                .codecUnsupported,
                "\(muxer.name) cannot be written because the FFmpeg libraries here have no encoder of "
                    + "\(settings.encoding.kind.rawValue): choose another encoding."
            )
        }
        var newPacket = av_packet_alloc()
        var newFrame = av_frame_alloc()
        var newCodec = avcodec_alloc_context3(encoder)
        guard let codec = newCodec, let packet = newPacket, let frame = newFrame else {
            av_packet_free(&newPacket)
            av_frame_free(&newFrame)
            avcodec_free_context(&newCodec)
            throw EarshotError(
                .internalError,
                "\(muxer.name) cannot be written for want of memory: end other programs."
            )
        }
        (self.codec, self.packet, self.frame) = (codec, packet, frame)
        codec.pointee.sample_fmt = Self.sampleFormat(settings)
        codec.pointee.sample_rate = Int32(clamping: settings.sampleRate)
        codec.pointee.time_base = AVRational(num: 1, den: Int32(clamping: settings.sampleRate))
        earshot_layout_from_mask(&codec.pointee.ch_layout, Self.channelMask(settings), Int32(channelCount))
        codec.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        codec.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        if muxer.wantsGlobalHeader { codec.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        Self.setQuality(codec, settings)
        let bits = settings.bits
        if let bits {
            codec.pointee.bits_per_raw_sample = Int32(bits)
            quantizer = Quantizer(bits: bits, dithers: settings.dithers)
        }
        let result = avcodec_open2(codec, encoder, nil)
        let stream = try muxer.addStream()
        frameSize = codec.pointee.frame_size > 0 ? Int(codec.pointee.frame_size) : 4_096
        guard result >= 0 else {
            throw EarshotError(
                .pipelineRefused,
                "\(muxer.name) cannot be written because \(settings.encoding.kind.rawValue) does not take \(channelCount) channels "
                    + "at \(settings.sampleRate) Hz (\(FFmpegText.reason(result))): choose another rate, number of channels or bit rate."
            )
        }
        avcodec_parameters_from_context(stream.pointee.codecpar, codec)
        stream.pointee.time_base = codec.pointee.time_base
        try prepareFrame()
    }

    deinit {
        var codec: UnsafeMutablePointer<AVCodecContext>? = codec
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        avcodec_free_context(&codec)
        av_packet_free(&packet)
        av_frame_free(&frame)
    }

    /// Encodes interleaved samples; what does not fill a frame of the codec waits for more.
    func encode(_ samples: SampleBuffer, into muxer: Muxer) throws(EarshotError) {
        var quantized: [Int32]?
        if var quantizer {
            quantized = quantizer.quantize(samples, significantBits: significantBits)
            self.quantizer = quantizer
        }
        let count = samples.count / channelCount
        var done = 0
        while done < count {
            let taken = min(frameSize - held, count - done)
            if let quantized {
                fill(quantized, from: done, count: taken)
            } else {
                switch samples {
                case .int16(let samples): fill(samples, scale: 1 / 32_768, from: done, count: taken)
                case .int32(let samples): fill(samples, scale: 1 / 2_147_483_648, from: done, count: taken)
                case .float32(let samples): fill(samples, from: done, count: taken)
                case .float64(let samples): fill(samples, from: done, count: taken)
                }
            }
            held += taken
            done += taken
            if held == frameSize { try send(into: muxer) }
        }
    }

    /// Encodes what waits, and takes out what the encoder still holds.
    func finish(into muxer: Muxer) throws(EarshotError) {
        if held > 0 { try send(into: muxer) }
        let result = avcodec_send_frame(codec, nil)
        guard result >= 0 || result == earshot_error_end() else { throw failed(result) }
        try receive(into: muxer)
    }

    private func prepareFrame() throws(EarshotError) {
        av_frame_unref(frame)
        frame.pointee.format = codec.pointee.sample_fmt.rawValue
        frame.pointee.sample_rate = codec.pointee.sample_rate
        frame.pointee.nb_samples = Int32(frameSize)
        earshot_layout_of(&codec.pointee.ch_layout, &frame.pointee.ch_layout)
        let result = av_frame_get_buffer(frame, 0)
        guard result >= 0 else { throw failed(result) }
    }

    private func send(into muxer: Muxer) throws(EarshotError) {
        frame.pointee.nb_samples = Int32(held)
        frame.pointee.pts = position
        position += Int64(held)
        held = 0
        let result = avcodec_send_frame(codec, frame)
        guard result >= 0 else { throw failed(result) }
        try receive(into: muxer)
        // The encoder may keep the memory of the frame before.
        try prepareFrame()
    }

    private func receive(into muxer: Muxer) throws(EarshotError) {
        while true {
            let result = avcodec_receive_packet(codec, packet)
            if result == earshot_error_again() || result == earshot_error_end() { return }
            guard result >= 0 else { throw failed(result) }
            defer { av_packet_unref(packet) }
            if let stream = muxer.stream {
                av_packet_rescale_ts(packet, codec.pointee.time_base, stream.pointee.time_base)
            }
            try muxer.write(packet)
        }
    }

    // MARK: - Samples

    /// Puts quantized samples, which stand in the upper bits, where the codec wants them.
    private func fill(_ samples: [Int32], from first: Int, count: Int) {
        if codec.pointee.sample_fmt == AV_SAMPLE_FMT_S16 || codec.pointee.sample_fmt == AV_SAMPLE_FMT_S16P {
            place(samples, from: first, count: count) { Int16(truncatingIfNeeded: $0 >> 16) }
        } else {
            place(samples, from: first, count: count) { $0 }
        }
    }

    private func fill<Sample: BinaryInteger>(_ samples: [Sample], scale: Float, from first: Int, count: Int) {
        place(samples, from: first, count: count) { Float($0) * scale }
    }

    private func fill<Sample: BinaryFloatingPoint>(_ samples: [Sample], from first: Int, count: Int) {
        // What is no number would make the encoder fail, or worse; so would what damaged files decode to: LAME ends the process
        // at 97 dB above full scale. Nothing that is music is 36 dB above it.
        place(samples, from: first, count: count) { $0.isFinite ? Float(max(-64, min($0, 64))) : 0 }
    }

    /// Appends frames to those in the frame, planar if the codec requires it.
    @inline(__always)
    private func place<Sample, Stored: BitwiseCopyable>(
        _ samples: [Sample],
        from first: Int,
        count: Int,
        _ stored: (Sample) -> Stored
    ) {
        let channels = channelCount
        let isPlanar = av_sample_fmt_is_planar(codec.pointee.sample_fmt) != 0
        samples.withUnsafeBufferPointer { samples in
            for channel in 0..<(isPlanar ? channels : 1) {
                guard let plane = frame.pointee.extended_data[channel] else { continue }
                let target = UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Stored.self)
                if isPlanar {
                    var source = first * channels + channel
                    for index in held..<held + count {
                        target[index] = stored(samples[source])
                        source += channels
                    }
                } else {
                    let source = first * channels
                    for index in 0..<count * channels {
                        target[held * channels + index] = stored(samples[source + index])
                    }
                }
            }
        }
    }

    // MARK: - Choice

    private static func encoder(_ encoding: AudioEncoding) -> UnsafePointer<AVCodec>? {
        switch encoding.kind {
        case .flac: avcodec_find_encoder(AV_CODEC_ID_FLAC)
        case .alac: avcodec_find_encoder(AV_CODEC_ID_ALAC)
        case .aac: avcodec_find_encoder(AV_CODEC_ID_AAC)
        case .mp3: avcodec_find_encoder_by_name("libmp3lame")
        case .vorbis: avcodec_find_encoder_by_name("libvorbis")
        case .opus: avcodec_find_encoder_by_name("libopus")
        case .pcm, .passthrough: nil
        }
    }

    /// The channel layout of the encoder; 0 for the usual one.
    private static func channelMask(_ settings: EncoderSettings) -> UInt64 {
        switch (settings.encoding.kind, settings.channelCount) {
        case (.flac, _): settings.channelMask
        // Left, right and center, and a square: what Opus has for so many (RFC 7845, section 5.1.1.2).
        case (.opus, 3): 0x07
        case (.opus, 4): 0x33
        default: 0
        }
    }

    private static func sampleFormat(_ settings: EncoderSettings) -> AVSampleFormat {
        switch settings.encoding.kind {
        case .flac: (settings.bits ?? 16) > 16 ? AV_SAMPLE_FMT_S32 : AV_SAMPLE_FMT_S16
        case .alac: (settings.bits ?? 16) > 16 ? AV_SAMPLE_FMT_S32P : AV_SAMPLE_FMT_S16P
        case .opus: AV_SAMPLE_FMT_FLT
        default: AV_SAMPLE_FMT_FLTP
        }
    }

    private static func setQuality(_ codec: UnsafeMutablePointer<AVCodecContext>, _ settings: EncoderSettings) {
        if let rate = settings.encoding.bitRate {
            codec.pointee.bit_rate = Int64(rate)
            return
        }
        func vary(_ quality: Int32) {
            codec.pointee.flags |= AV_CODEC_FLAG_QSCALE
            codec.pointee.global_quality = quality * FF_QP2LAMBDA
        }
        switch settings.encoding.kind {
        case .mp3: vary(2)
        case .vorbis: vary(5)
        case .aac: codec.pointee.bit_rate = 96_000 * Int64(settings.channelCount)
        case .opus: codec.pointee.bit_rate = 64_000 * Int64(settings.channelCount)
        default: break
        }
    }

    private func failed(_ code: Int32) -> EarshotError {
        EarshotError(.internalError, "Encoding \(name) failed (\(FFmpegText.report(code))): please report this.")
    }
}
