import Dispatch
public import EarshotCore
import Synchronization

/// Plays audio through an output device of the system.
///
/// ```swift
/// try await AudioOutput().play(AssetReader(url))
/// ```
///
/// The device is opened for each source. A source is read in real time.
public final class AudioOutput: AudioPlayer {
    private struct Hold: Sendable {
        var isPaused = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let device: OutputDevice?
    private let hold = Mutex(Hold())

    /// Creates an output. The device is opened with the first source.
    ///
    /// - Parameter device: The device; `nil` for the system's default.
    public init(_ device: OutputDevice? = nil) {
        self.device = device
    }

    /// `true` if playback is paused: between ``pause()`` and ``resume()``.
    public var isPaused: Bool { hold.withLock { $0.isPaused } }

    /// Pauses playback within a quarter of a second.
    public func pause() {
        hold.withLock { $0.isPaused = true }
    }

    /// Resumes playback after ``pause()``.
    public func resume() {
        let waiting = hold.withLock { hold in
            defer { hold = Hold() }
            return hold.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Plays a source to its end.
    ///
    /// - Parameters:
    ///   - source: The audio, in any format.
    ///   - heard: Called about ten times a second with the source's time that is being heard.
    /// - Throws: `deviceUnavailable` if there is no device, or it is lost; the source's errors; `cancelled` if the task
    ///   is canceled.
    public func play(_ source: some AudioSource, heard: @Sendable (MediaTime) -> Void = { _ in }) async throws {
        let worker = OutputWorker(device.map { [$0] } ?? OutputDevice.usual)
        try await withTaskCancellationHandler {
            var last = MediaTime.negativeInfinity
            for try await block in source {
                for piece in block.pieces(of: MediaTime(value: 1, timescale: 10)) {
                    await whilePaused()
                    try await worker.play(piece.buffer)
                    // Drivers guess how late they are; what was heard stays heard.
                    last = max(last, piece.endTime - worker.delay, block.time)
                    heard(last)
                }
            }
            try await worker.finish()
        } onCancel: {
            worker.cancel()
            resume()
        }
    }

    private func whilePaused() async {
        await withCheckedContinuation { continuation in
            let goesOn = hold.withLock { hold in
                if hold.isPaused, !Task.isCancelled { hold.waiting.append(continuation) }
                return !hold.isPaused || Task.isCancelled
            }
            if goesOn { continuation.resume() }
        }
    }
}

extension AudioBlock {
    /// The block in pieces that last no longer than this.
    func pieces(of length: MediaTime) -> [AudioBlock] {
        let frames = max(1, Int(length.converted(toTimescale: Int32(clamping: buffer.sampleRate)).value))
        return stride(from: 0, to: buffer.frameCount, by: frames).map { start in
            AudioBlock(
                buffer.frames(start..<start + frames),
                at: time + MediaTime(frames: Int64(start), sampleRate: buffer.sampleRate)
            )
        }
    }
}
