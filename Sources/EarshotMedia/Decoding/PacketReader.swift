public import EarshotCore
public import Foundation

/// Reads the encoded audio of a file or address packet by packet, without decoding.
///
/// ```swift
/// let reader = try await PacketReader(url)
/// for try await packet in reader {
///     print(reader.format.codec, packet.bytes.count)
/// }
/// ```
///
/// A reader can be read once: a second iterator continues where the first one stopped.
public final class PacketReader: AsyncSequence, Sendable {
    /// A packet of encoded audio.
    public typealias Element = EncodedPacket

    /// The address that is read.
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
    ///   - range: The part to read, on the asset's timeline: all packets that overlap it; `nil` for everything.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `assetProtected`, `noAudioStream` or
    ///   `cancelled`.
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

    /// The state of the reader. Can be read from any thread.
    public var state: ReadingState { worker.state }
    /// The error in the state ``ReadingState/failed``; `nil` in other states.
    public var error: EarshotError? { worker.error }

    /// Stops reading, from any thread: a task that waits for a packet gets the error `cancelled`. Has no effect after
    /// the end.
    public func cancel() {
        worker.cancel()
    }

    /// Returns an iterator over the packets that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(worker: worker)
    }

    /// An iterator over the packets.
    public struct Iterator: AsyncIteratorProtocol {
        let worker: ReaderWorker<PacketSource>

        /// Reads the next packet; `nil` at the end, and after an error.
        ///
        /// - Throws: `readFailed` with the position if the file is incomplete, `assetProtected`, `cancelled`; always an
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
