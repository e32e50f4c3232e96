public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
import EarshotSignatures
public import Foundation

/// Writes the feed of a channel: a header, then chunks for as long as the channel runs.
///
/// ```swift
/// var writer = try LiveFeedWriter(channel: "7")
/// connection.send(writer.header)
/// for piece in try feeder.append(buffer, at: date) { connection.send(try writer.data(of: piece)) }
/// ```
public struct LiveFeedWriter: Sendable {
    /// The header, with which a feed begins.
    public let header: Data
    private var last: UInt64?

    /// Creates a writer for a new feed.
    ///
    /// - Parameter channel: The identifier of the channel, 1 to 256 bytes of UTF-8.
    /// - Throws: `requestInvalid` if the identifier is empty or too long.
    public init(channel: EntityID<BroadcastChannel>) throws(EarshotError) {
        guard LiveFeed.isChannel(channel.rawValue) else {
            throw EarshotError(.requestInvalid, "The channel's id does not have 1 to 256 bytes: choose another.")
        }
        var writer = ByteWriter()
        let id = Array(channel.rawValue.utf8)
        writer.write(contentsOf: LiveFeed.magic)
        writer.write(LiveFeed.majorVersion)
        writer.write(LiveFeed.minorVersion)
        writer.write(UInt16(id.count))
        writer.write(UInt16(0))
        writer.write(contentsOf: id)
        writer.write(CRC32C.checksum(writer.bytes))
        header = Data(writer.bytes)
    }

    /// Returns the bytes of the next chunk.
    ///
    /// - Throws: `requestInvalid` if its number is not above that of the previous chunk, or if it takes more than
    ///   65,536 bytes.
    public mutating func data(of piece: LiveChunk) throws(EarshotError) -> Data {
        if let last, piece.sequence <= last {
            throw EarshotError(
                .requestInvalid,
                "Chunk \(piece.sequence) follows chunk \(last) in the feed: write chunks in ascending order of their numbers."
            )
        }
        let signature = [UInt8](piece.signature.data)
        let size = LiveFeed.pieceHeaderSize + signature.count
        guard size <= LiveFeed.maximumBodySize else {
            throw EarshotError(
                .requestInvalid,
                "Chunk \(piece.sequence) takes \(size) bytes, and 65,536 are allowed: make shorter chunks."
            )
        }
        var writer = ByteWriter(reservingCapacity: size + 12)
        writer.write(LiveFeed.pieceKind)
        writer.write(UInt32(size))
        writer.write(piece.sequence)
        writer.write(piece.milliseconds)
        writer.write(contentsOf: signature)
        writer.write(CRC32C.checksum(writer.bytes))
        last = piece.sequence
        return Data(writer.bytes)
    }
}
