import CFFmpeg
import EarshotCore

/// Decoded frames in order: an owner of FFmpeg's frames. Their samples are shared, not copied.
///
/// Not thread-safe.
final class FrameQueue {
    private var frames: [UnsafeMutablePointer<AVFrame>] = []
    /// The index of the first frame that has not been removed.
    private var head = 0

    deinit {
        for frame in frames[head...] { Self.free(frame) }
    }

    var isEmpty: Bool { head == frames.count }

    /// Adds what a frame holds, and leaves it empty. The name is the file's, for messages.
    ///
    /// - Throws: `internalError` without memory.
    func append(moving frame: UnsafeMutablePointer<AVFrame>, name: String) throws(EarshotError) {
        guard let held = av_frame_alloc() else {
            throw EarshotError(.internalError, "\(name) cannot be decoded for want of memory: end other programs.")
        }
        av_frame_move_ref(held, frame)
        frames.append(held)
    }

    /// Removes the first frame and gives it to `body`; `nil` if there is none.
    func withFirst<Result>(
        _ body: (UnsafeMutablePointer<AVFrame>) throws(EarshotError) -> Result
    ) throws(EarshotError) -> Result? {
        guard !isEmpty else { return nil }
        let frame = frames[head]
        head += 1
        if isEmpty { (frames, head) = ([], 0) }
        defer { Self.free(frame) }
        return try body(frame)
    }

    private static func free(_ frame: UnsafeMutablePointer<AVFrame>) {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }
}
