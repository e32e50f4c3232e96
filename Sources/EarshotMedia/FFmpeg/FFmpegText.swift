import CFFmpeg
import EarshotCore

/// Text out of FFmpeg's codes.
enum FFmpegText {
    /// The reason of an error in plain words, without FFmpeg's own text and number: `its data is damaged`.
    static func reason(_ code: Int32) -> String {
        if let words = words[code] { return words }
        // Errors of the system are its numbers below zero; FFmpeg's own are four characters, far below.
        guard code < 0, code > -4_096 else { return "the reason is not known" }
        let text = raw(code)
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// FFmpeg's text for an error, with the code, for reports of mistakes in this program:
    /// `Invalid data found when processing input, 'INDA', -1094995529`.
    static func report(_ code: Int32) -> String { "\(raw(code)), \(StatusCode(code))" }

    private static func raw(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        av_strerror(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static let words: [Int32: String] = [
        earshot_error_invalid_data(): "its data is damaged",
        earshot_error_invalid_argument(): "its data makes no sense",
        earshot_error_end(): "its data ends too early",
        earshot_error_exit(): "it was ended",
        earshot_error_not_implemented(): "it uses a rare variant of its format",
        earshot_error_memory(): "there is too little memory",
        tag("\u{F8}STR"): "it has no such stream",
        tag("\u{F8}DEC"): "the decoder is missing",
        tag("\u{F8}ENC"): "the encoder is missing",
        tag("\u{F8}DEM"): "the format is not supported",
        tag("\u{F8}MUX"): "the format cannot be written",
        tag("\u{F8}PRO"): "addresses of this kind are not supported",
        tag("\u{F8}400"): "the server did not understand the request",
        tag("\u{F8}401"): "the server wants a log-in",
        tag("\u{F8}403"): "the server does not allow it",
        tag("\u{F8}404"): "the server has nothing there",
        tag("\u{F8}429"): "the server wants a pause between requests",
        tag("\u{F8}4XX"): "the server refused the request",
        tag("\u{F8}5XX"): "the server failed",
        tag("BUG!"): "a mistake in a media library",
        tag("UNKN"): "the reason is not known",
    ]

    /// The number of one of FFmpeg's own errors.
    private static func tag(_ characters: String) -> Int32 {
        let scalars = characters.unicodeScalars.map { UInt32($0.value) }
        return -Int32(bitPattern: scalars.reversed().reduce(0) { $0 << 8 | $1 })
    }

    /// The codec's short name, and the tag of the file where FFmpeg does not know it: `none ('xyz1')`.
    static func codec(_ parameters: AVCodecParameters) -> String {
        let name = avcodec_get_name(parameters.codec_id).map { String(cString: $0) } ?? "none"
        guard parameters.codec_id == AV_CODEC_ID_NONE else { return name }
        return "'\(fourCharacters(parameters.codec_tag))'"
    }

    /// A tag as its four characters where they can be printed, otherwise as a number.
    static func fourCharacters(_ tag: UInt32) -> String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "\(tag)" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
