import Dispatch
public import EarshotCore
import Foundation

/// Reads raw samples from an open file descriptor, such as standard input.
///
/// The bytes are interleaved and little-endian, as in the formats `s16le` or `f32le` of `ffmpeg`. The first sample is
/// at time zero. An incomplete frame at the end is left out.
///
/// A source can be read once: a second iterator continues where the first one stopped.
public final class PCMSource: AudioSource {
    /// A block of audio.
    public typealias Element = AudioBlock

    /// The format of the bytes and of every block.
    public let format: AudioFormat

    private let worker: PCMWorker

    /// Creates a source that reads from a file descriptor. The caller must keep it open, and close it afterwards.
    ///
    /// - Parameters:
    ///   - fileDescriptor: An open descriptor. Default: standard input.
    ///   - format: The format of the bytes.
    ///   - blockDuration: The duration of a block. Default: 50 ms.
    /// - Throws: `audioFormatInvalid` for a sample rate outside 1,000 to 768,000 Hz, or channels outside 1 to 64.
    public init(
        fileDescriptor: Int32 = 0,
        format: AudioFormat,
        blockDuration: MediaTime = MediaTime(value: 50, timescale: 1_000)
    ) throws(EarshotError) {
        guard AudioDecoder.sampleRates.contains(format.sampleRate), (1...64).contains(format.channelCount) else {
            throw EarshotError(
                .audioFormatInvalid,
                "Raw samples cannot be read as \(format): give 1,000 to 768,000 Hz and 1 to 64 channels."
            )
        }
        self.format = format
        let frames = CaptureSource.Options.frames(blockDuration, sampleRate: format.sampleRate)
        worker = PCMWorker(descriptor: fileDescriptor, parser: PCMParser(format: format, blockFrames: frames))
    }

    /// Stops reading, from any thread: a task that waits for a block gets the error `cancelled`.
    public func cancel() {
        worker.cancel()
    }

    /// Returns an iterator over the blocks that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(worker: worker)
    }

    /// An iterator over the blocks of samples.
    public struct Iterator: AsyncIteratorProtocol {
        let worker: PCMWorker

        /// Waits for the next block; `nil` at the end, and after an error.
        ///
        /// - Throws: `readFailed` with the position if the descriptor cannot be read; `cancelled` if
        ///   ``PCMSource/cancel()`` was called or the task was canceled; always an `EarshotError`.
        public mutating func next() async throws -> AudioBlock? {
            try await worker.next()
        }
    }
}
