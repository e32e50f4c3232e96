public import EarshotCore
public import Foundation

/// Reads the sound of a file or address in its own encoding, packet by packet: nothing is decoded.
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
    /// What the sequence holds.
    public typealias Element = EncodedPacket

    /// The address read.
    public let url: URL
    /// How the packets are encoded.
    public let format: EncodedFormat
    /// How long the whole asset lasts; indefinite when that is not known.
    public let duration: MediaTime
    /// The ``AudioStream/index`` of the stream that is read.
    public let streamIndex: Int
    private let worker: ReaderWorker<PacketSource>

    /// Opens a file or address.
    ///
    /// - Parameters:
    ///   - url: A file, or an address that FFmpeg can open.
    ///   - stream: Which audio stream.
    ///   - range: The part to read, on the asset's timeline: every packet of which something lies in it; everything if
    ///     `nil`.
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

    /// Whether it is being read, and how that ended. Any thread may ask.
    public var state: ReadingState { worker.state }
    /// Why reading failed: there in the state ``ReadingState/failed``, and in no other.
    public var error: EarshotError? { worker.error }

    /// Ends reading from any thread: whoever waits for a packet gets the error `cancelled`. After the end it changes nothing.
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
