import CFFmpeg
import EarshotCore

/// Text out of FFmpeg's codes.
enum FFmpegText {
    /// What FFmpeg says about an error, with the code: `Invalid data found when processing input, 'INDA', -1094995529`.
    static func reason(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        av_strerror(code, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "\(text), \(StatusCode(code))"
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
