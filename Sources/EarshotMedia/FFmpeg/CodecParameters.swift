import CFFmpeg
import EarshotCore

/// FFmpeg's description of a stream, kept after the file is closed.
///
/// Unchecked, because nothing changes it once it is made.
final class CodecParameters: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVCodecParameters>

    /// - Throws: `internalError` without memory.
    init(copying other: UnsafePointer<AVCodecParameters>) throws(EarshotError) {
        guard let pointer = avcodec_parameters_alloc(), avcodec_parameters_copy(pointer, other) >= 0 else {
            throw EarshotError(.internalError, "There is no memory to read a file: end other programs.")
        }
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
        avcodec_parameters_free(&pointer)
    }
}
