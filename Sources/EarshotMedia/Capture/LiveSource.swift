public import EarshotCore
public import Foundation

/// Reads a stream without an end: internet radio, the audio of a camera, a multicast.
///
/// The first sample is at time zero. A stream that breaks off, closes or stalls is reopened, with delays of up to 30 s,
/// and continues after a gap as long as the outage. A stream that states its duration is a recording, and ends with it.
/// A file or a pipe is read once.
///
/// ```swift
/// let source = try await LiveSource(url)
/// for try await block in source {
///     print(block.time, block.buffer.frameCount)
/// }
/// ```
///
/// A source can be read once. It ends with ``stop()``, when the reading task is cancelled, and when the last reference
/// to it is released. A stream cannot make it read a local file.
public final class LiveSource: AudioSource {
    /// A block of audio.
    public typealias Element = AudioBlock

    /// The address read.
    public let url: URL
    /// The format of the first blocks; after a connection was lost, the next may have another.
    public let format: AudioFormat
    /// The events besides the audio, from `started` to `ended`, for one reader. Reading them is optional.
    public let events: AsyncStream<CaptureEvent>

    private let engine: CaptureEngine

    /// Opens a stream and begins to read.
    ///
    /// - Parameters:
    ///   - url: An address that FFmpeg can open: `http:`, `https:`, `rtsp:`, `udp:`, `pipe:0`, a file.
    ///   - options: The output format, and the treatment of interruptions.
    ///   - clock: By which pauses and lost time are measured.
    /// - Throws: `assetNotFound` if there is no answer at the address or it does not exist, `assetIsDirectory`,
    ///   `assetUnreadable`, `assetProtected`, `noAudioStream`, `codecUnsupported`, `audioFormatInvalid` or `cancelled`.
    ///   The first attempt is not repeated.
    public init(_ url: URL, options: Options = .init(), clock: MediaClock = .system) async throws(EarshotError) {
        let isFinite = url.isFileURL || PipeInput.descriptor(of: url) != nil
        let engine = CaptureEngine(
            .init(
                name: Demuxer.name(of: url),
                kind: .stream,
                policy: isFinite ? .never : options.reconnecting,
                stall: isFinite ? nil : options.stallDuration,
                capacity: options.capacity,
                clock: clock
            ),
            open: { cancellation throws(EarshotError) in
                // Only an open stream says its rate, by which a block is counted: the usual one stands for it.
                let rate = options.sampleRate ?? 48_000
                let frames = CaptureSource.Options.frames(options.blockDuration, sampleRate: rate)
                return try StreamInput(url, options: options.reading(blockFrames: frames), cancellation: cancellation)
            }
        )
        format = try await engine.start()
        self.url = url
        self.engine = engine
        events = engine.events
    }

    deinit {
        engine.cancel()
    }

    /// Ends reading, from any thread. What was read before is still delivered, then the sequence ends.
    public func stop() {
        engine.stop()
    }

    /// An iterator over the blocks that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: self)
    }

    /// Gives one block after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let source: LiveSource

        /// The next block; `nil` at the end, and after an error.
        ///
        /// - Throws: The last error of a stream that was lost and is given up, with the position; `readFailed` when a file
        ///   breaks off; `cancelled` when the task was cancelled; always an `EarshotError`.
        public mutating func next() async throws -> AudioBlock? {
            try await source.engine.next()
        }
    }
}
