public import EarshotCore
public import Foundation

/// Decodes the audio of a file or address to PCM, block by block.
///
/// The initializer decodes the first frame, so an unreadable file fails there. Blocks come in order, each with its
/// time: the first audible sample of a pure audio file is at zero, without the encoder's delay and padding if the file
/// states them. A block that does not begin where the previous one ended follows a gap in the file. Memory is bounded
/// for files of any duration: nothing is decoded before it is requested.
///
/// ```swift
/// let reader = try await AssetReader(url)
/// for try await block in reader {
///     print(block.time, block.buffer.frameCount)
/// }
/// ```
///
/// A reader can be read once: a second iterator continues where the first one stopped. For two passes, or two tasks
/// that read concurrently, create two readers.
public final class AssetReader: AudioSource {
    /// A block of audio.
    public typealias Element = AudioBlock

    /// The address that is read.
    public let url: URL
    /// The format of every block.
    public let format: AudioFormat
    /// The duration of the whole asset; indefinite if it is not known.
    public let duration: MediaTime
    /// The duration of the part that is read; `nil` if unknown.
    public let expectedDuration: MediaTime?
    /// The ``AudioStream/index`` of the stream that is read.
    public let streamIndex: Int

    private let worker: ReaderWorker<AudioDecoder>
    private let meter: ProgressMeter

    /// Opens a file or address, and decodes its first frame.
    ///
    /// - Parameters:
    ///   - url: A file, or an address that FFmpeg can open (`http:`, `https:`, `pipe:0`).
    ///   - options: The part to read, and the output format.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `assetProtected`, `noAudioStream`,
    ///   `codecUnsupported`, `audioFormatInvalid` or `cancelled`.
    public init(_ url: URL, options: Options = .init()) async throws(EarshotError) {
        let worker = ReaderWorker<AudioDecoder>()
        let properties = try await worker.open { (cancellation) throws(EarshotError) in
            let decoder = try AudioDecoder(url, options: options, cancellation: cancellation)
            return (decoder, Properties(decoder))
        }
        self.url = url
        self.worker = worker
        format = properties.format
        duration = properties.duration
        expectedDuration = properties.expectedDuration
        streamIndex = properties.streamIndex
        meter = properties.meter
    }

    /// Opens the address of a loaded asset again, and decodes its first frame.
    ///
    /// - Parameters:
    ///   - asset: The asset.
    ///   - options: The part to read, and the output format.
    /// - Throws: The errors of `init(_:options:)` for an address.
    public convenience init(_ asset: Asset, options: Options = .init()) async throws(EarshotError) {
        try await self.init(asset.url, options: options)
    }

    /// The progress of reading. Can be read from any thread.
    public var progress: ReadingProgress { meter.progress }
    /// The state of the reader. Can be read from any thread.
    public var state: ReadingState { worker.state }
    /// The error in the state ``ReadingState/failed``; `nil` in other states.
    public var error: EarshotError? { worker.error }

    /// Stops reading, from any thread: a task that waits for a block gets the error `cancelled`. Has no effect after
    /// the end.
    public func cancel() {
        worker.cancel()
    }

    /// Returns an iterator over the blocks that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(worker: worker)
    }

    /// An iterator over the decoded blocks.
    public struct Iterator: AsyncIteratorProtocol {
        let worker: ReaderWorker<AudioDecoder>

        /// Decodes the next block; `nil` at the end, and after an error.
        ///
        /// - Throws: `readFailed` with the position if the file is incomplete or cannot be read further,
        ///   `assetProtected`, and `cancelled` if ``AssetReader/cancel()`` was called or the task was canceled; always
        ///   an `EarshotError`.
        public mutating func next() async throws -> AudioBlock? {
            try await worker.next()
        }
    }
    /// The properties that are known once a file is open.
    private struct Properties: Sendable {
        let format: AudioFormat
        let duration: MediaTime
        let expectedDuration: MediaTime?
        let streamIndex: Int
        let meter: ProgressMeter

        init(_ decoder: AudioDecoder) {
            format = decoder.format
            duration = decoder.assetDuration
            expectedDuration = decoder.expectedDuration
            streamIndex = decoder.streamIndex
            meter = decoder.meter
        }
    }
}
