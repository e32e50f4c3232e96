import CFFmpeg

/// The FFmpeg libraries that this process runs with.
package enum FFmpegLibraries {
    /// The names and versions of the libraries in FFmpeg's form: `Lavc59.37.100 Lavf59.27.100 SwR4.7.100`.
    package static var description: String {
        [
            name("Lavc", avcodec_version()), name("Lavf", avformat_version()), name("SwR", swresample_version()),
        ].joined(separator: " ")
    }

    /// The FFmpeg release, such as `5.1.6-0+deb12u1`.
    package static var release: String { String(cString: av_version_info()) }

    /// The names of all decoders of sound, with commas between them: what an opened file may have decoded.
    static let audioDecoders: String = {
        var names: [String] = []
        var place: UnsafeMutableRawPointer?
        while let codec = av_codec_iterate(&place) {
            guard codec.pointee.type == AVMEDIA_TYPE_AUDIO, av_codec_is_decoder(codec) != 0 else { continue }
            names.append(String(cString: codec.pointee.name))
        }
        return names.joined(separator: ",")
    }()

    private static func name(_ prefix: String, _ version: UInt32) -> String { prefix + number(version) }

    /// The version of a library in figures.
    static func number(_ version: UInt32) -> String { "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)" }
}
