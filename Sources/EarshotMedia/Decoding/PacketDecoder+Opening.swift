import CFFmpeg
import EarshotCore

extension PacketDecoder {
    /// Sample entries that say "encrypted": the store's old and new protection, common encryption, audiobooks.
    private static let protectedTags: Set<UInt32> = [
        tag("drms"), tag("drmi"), tag("enca"), tag("encv"), tag("aavd"), tag("aavs"),
    ]

    static func open(
        _ stream: UnsafeMutablePointer<AVStream>,
        name: String
    ) throws(EarshotError) -> UnsafeMutablePointer<AVCodecContext>? {
        let parameters = stream.pointee.codecpar!
        if isProtected(stream) { throw protected(name) }
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw unsupported(name, parameters.pointee)
        }
        let rate = Int(parameters.pointee.sample_rate)
        guard AudioDecoder.sampleRates.contains(rate), parameters.pointee.ch_layout.nb_channels > 0 else {
            throw EarshotError(
                .assetUnreadable,
                "\(name) cannot be opened as media (\(rate) Hz, \(parameters.pointee.ch_layout.nb_channels) channels): "
                    + "it has an unknown format or is damaged."
            )
        }
        var context = avcodec_alloc_context3(codec)
        guard let opening = context else { return nil }
        var result = avcodec_parameters_to_context(opening, parameters)
        opening.pointee.pkt_timebase = stream.pointee.time_base
        if parameters.pointee.codec_id == AV_CODEC_ID_FLAC {
            // Every FLAC frame carries a check; a frame that fails it is noise.
            opening.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE
        }
        if result >= 0 { result = avcodec_open2(opening, codec, nil) }
        guard result >= 0 else {
            avcodec_free_context(&context)
            throw unsupported(name, parameters.pointee, FFmpegText.reason(result))
        }
        return opening
    }

    static func isProtected(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        protectedTags.contains(stream.pointee.codecpar.pointee.codec_tag) || earshot_stream_is_encrypted(stream) != 0
    }

    static func protected(_ name: String) -> EarshotError {
        EarshotError(
            .assetProtected,
            "The audio of \(name) cannot be decoded because it is encrypted: use an unprotected copy."
        )
    }

    private static func unsupported(
        _ name: String,
        _ parameters: AVCodecParameters,
        _ reason: String? = nil
    ) -> EarshotError {
        let detail = reason.map { " (\($0))" } ?? ""
        return EarshotError(
            .codecUnsupported,
            "The audio of \(name) cannot be decoded: there is no working decoder for "
                + "\(FFmpegText.codec(parameters)) here\(detail); convert the file or install a fuller FFmpeg."
        )
    }

    private static func tag(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
