public import EarshotCore
public import Foundation

/// Reads the audio of a file or address in its own encoding, packet by packet, without decoding.
///
/// ```swift
/// let reader = try await PacketReader(url)
/// for try await packet in reader {
///     print(reader.format.codec, packet.bytes.count)
/// }
/// ```
///
/// A reader is read once, and ends as an ``AssetReader`` does.
public final class PacketReader: AsyncSequence, Sendable {
    /// A block of audio.
    public typealias Element = EncodedPacket

    /// The address read.
    public let url: URL
    /// The encoding of the packets.
    public let format: EncodedFormat
    /// The duration of the whole asset; indefinite if it is not known.
    public let duration: MediaTime
    /// The ``AudioStream/index`` of the stream that is read.
    public let streamIndex: Int
    private let worker: ReaderWorker<PacketSource>

    /// Opens a file or address.
    ///
    /// - Parameters:
    ///   - url: A file, or an address that FFmpeg can open.
    ///   - stream: The audio stream.
    ///   - range: The part to read, on the asset's timeline: every packet that overlaps it; everything if `nil`.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `assetProtected`, `noAudioStream` or `cancelled`.
    public init(
        _ url: URL,
        stream: AssetReader.StreamChoice = .best,
        range: Range<MediaTime>? = nil
    ) async throws(EarshotError) {
        let worker = ReaderWorker<PacketSource>()
        let properties = try await worker.open { (cancellation) throws(EarshotError) in
            let source = try PacketSource(url, stream: stream, range: range, cancellation: cancellation)
            return (
                source, Properties(format: source.format, duration: source.duration, streamIndex: source.streamIndex)
            )
        }
        self.url = url
        self.worker = worker
        format = properties.format
        duration = properties.duration
        streamIndex = properties.streamIndex
    }

    /// The state of the reader. Thread-safe.
    public var state: ReadingState { worker.state }
    /// The error in the state ``ReadingState/failed``; `nil` in other states.
    public var error: EarshotError? { worker.error }

    /// Stops reading, from any thread: a task that waits for a packet gets the error `cancelled`. Has no effect after
    /// the end.
    public func cancel() {
        worker.cancel()
    }

    /// An iterator over the packets that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(worker: worker)
    }

    /// Gives one packet after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let worker: ReaderWorker<PacketSource>

        /// The next packet; `nil` at the end, and after an error.
        ///
        /// - Throws: `readFailed` with the position when the file breaks off, `assetProtected`, `cancelled`; always an
        ///   `EarshotError`.
        public mutating func next() async throws -> EncodedPacket? {
            try await worker.next()
        }
    }

    private struct Properties: Sendable {
        let format: EncodedFormat
        let duration: MediaTime
        let streamIndex: Int
    }
}
