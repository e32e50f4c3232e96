public import EarshotCore
public import Foundation

/// Reads an endless stream: internet radio, the audio of a camera, a multicast.
///
/// The first sample is at time zero. A stream that is lost, closed or stalled is reopened, with delays of up to 30 s,
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
/// A source can be read once. It ends with ``stop()``, when the reading task is canceled, and when the last reference
/// to it is released. A stream cannot make it read a local file.
public final class LiveSource: AudioSource {
    /// A block of audio.
    public typealias Element = AudioBlock

    /// The address of the stream.
    public let url: URL
    /// The format of the first blocks. It may change when the stream is reopened.
    public let format: AudioFormat
    /// The events besides the audio, from `started` to `ended`, for one reader. Reading them is optional.
    public let events: AsyncStream<CaptureEvent>

    private let engine: CaptureEngine

    /// Opens a stream and starts to read.
    ///
    /// - Parameters:
    ///   - url: An address that FFmpeg can open: `http:`, `https:`, `rtsp:`, `udp:`, `pipe:0`, a file.
    ///   - options: The output format, and the treatment of interruptions.
    ///   - clock: The clock that measures delays and outages.
    /// - Throws: `assetNotFound` if the server does not answer or the address does not exist, `assetIsDirectory`,
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

    /// Stops reading, from any thread. The sequence delivers the audio read before, then ends.
    public func stop() {
        engine.stop()
    }

    /// Returns an iterator over the blocks that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: self)
    }

    /// An iterator over the blocks of the stream.
    public struct Iterator: AsyncIteratorProtocol {
        let source: LiveSource

        /// Waits for the next block; `nil` at the end, and after an error.
        ///
        /// - Throws: The last error of a stream that could not be reopened, with the position; `readFailed` if a file
        ///   is incomplete; `cancelled` if the task was canceled; always an `EarshotError`.
        public mutating func next() async throws -> AudioBlock? {
            try await source.engine.next()
        }
    }
}
