public import EarshotCore
public import Foundation

/// Reads the sound of a file or address as PCM, block by block.
///
/// Opening decodes the first frame, so what cannot be read is known before the first block. Blocks come in order, each
/// with its time: the first audible sample of a pure audio file is at zero, with the encoder's delay and padding taken
/// off where the file states them. A block that does not begin where the one before it ended stands behind a gap in the
/// file. Memory stays bounded, however long the file is: nothing is decoded ahead of what is asked for.
///
/// ```swift
/// let reader = try await AssetReader(url)
/// for try await block in reader {
///     print(block.time, block.buffer.frameCount)
/// }
/// ```
///
/// A reader is read once: a second iterator goes on where the first one stopped. For two passes, or two tasks that read
/// side by side, make two readers.
public final class AssetReader: AudioSource {
    /// What the sequence holds.
    public typealias Element = AudioBlock

    /// The address read.
    public let url: URL
    /// The format of every block.
    public let format: AudioFormat
    /// How long the whole asset lasts; indefinite when that is not known.
    public let duration: MediaTime
    /// How much of it is read, where that is known.
    public let expectedDuration: MediaTime?
    /// The ``AudioStream/index`` of the stream that is read.
    public let streamIndex: Int

    private let worker: ReaderWorker<AudioDecoder>
    private let meter: ProgressMeter

    /// Opens a file or address.
    ///
    /// - Parameters:
    ///   - url: A file, or an address that FFmpeg can open (`http:`, `https:`, `pipe:0`).
    ///   - options: What is read, and in which format it comes out.
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

    /// Opens a loaded asset.
    ///
    /// - Parameters:
    ///   - asset: The asset; its address is opened anew.
    ///   - options: What is read, and in which format it comes out.
    /// - Throws: The same as for an address.
    public convenience init(_ asset: Asset, options: Options = .init()) async throws(EarshotError) {
        try await self.init(asset.url, options: options)
    }

    /// How far reading has come. Any thread may ask.
    public var progress: ReadingProgress { meter.progress }
    /// Whether it is being read, and how that ended. Any thread may ask.
    public var state: ReadingState { worker.state }
    /// Why reading failed: there in the state ``ReadingState/failed``, and in no other.
    public var error: EarshotError? { worker.error }

    /// Ends reading from any thread: whoever waits for a block gets the error `cancelled`. After the end it changes nothing.
    public func cancel() {
        worker.cancel()
    }

    /// An iterator over the blocks that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(worker: worker)
    }

    /// Gives one block after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let worker: ReaderWorker<AudioDecoder>

        /// The next block; `nil` at the end, and after an error.
        ///
        /// - Throws: `readFailed` with the position when the file breaks off or cannot be read further, `assetProtected`,
        ///   and `cancelled` when ``AssetReader/cancel()`` was called or the task was cancelled; always an
        ///   `EarshotError`.
        public mutating func next() async throws -> AudioBlock? {
            try await worker.next()
        }
    }
    /// What is known once a file is open.
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
