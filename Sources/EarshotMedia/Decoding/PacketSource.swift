import CFFmpeg
import EarshotCore
import Foundation

/// Reads the encoded packets of one stream, on the caller's thread.
///
/// Not thread-safe; its calls block.
final class PacketSource: BlockingReader {
    let format: EncodedFormat
    let streamIndex: Int
    /// The duration of the whole asset; indefinite if it is not known.
    let duration: MediaTime
    /// The asset, for messages.
    var name: String { demuxer.name }
    /// The packet that ``advance()`` came to.
    let packet: UnsafeMutablePointer<AVPacket>
    /// The end of the last packet, on the asset's timeline.
    private(set) var position: MediaTime = .zero
    private let demuxer: Demuxer
    private let range: Range<MediaTime>?
    private let cancellation: Cancellation
    private var isAtEnd = false

    /// - Parameters:
    ///   - url: A file or address.
    ///   - choice: The stream.
    ///   - range: The part to read: packets of which something lies in it.
    ///   - cancellation: Cancels a wait.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `assetProtected`, `noAudioStream`, `cancelled`.
    init(
        _ url: URL,
        stream choice: AssetReader.StreamChoice,
        range: Range<MediaTime>?,
        cancellation: Cancellation
    ) throws(EarshotError) {
        demuxer = try Demuxer(url, cancellation: cancellation)
        let stream = try AudioDecoder.choose(choice, in: demuxer)
        for other in demuxer.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        if earshot_stream_is_encrypted(stream) != 0 { throw PacketDecoder.protected(demuxer.name) }
        guard let packet = av_packet_alloc() else { throw Demuxer.outOfMemory(demuxer.url) }
        self.packet = packet
        (self.range, self.cancellation) = (range, cancellation)
        format = try EncodedFormat(stream)
        streamIndex = Int(stream.pointee.index)
        duration = demuxer.duration(of: stream)
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    /// Goes to the next packet.
    ///
    /// - Returns: `true` if there is one.
    /// - Throws: `readFailed` with the position, `assetProtected`, `cancelled`; after that there is nothing more.
    func advance() throws(EarshotError) -> Bool {
        av_packet_unref(packet)
        if isAtEnd { return false }
        do throws(EarshotError) {
            isAtEnd = try !read()
        } catch {
            isAtEnd = true
            throw error
        }
        return !isAtEnd
    }

    private func read() throws(EarshotError) -> Bool {
        while true {
            if cancellation.isCancelled { throw Demuxer.cancelled(name) }
            av_packet_unref(packet)
            let result = demuxer.read(into: packet)
            if result == earshot_error_end() { return false }
            if result == earshot_error_again() { continue }
            guard result >= 0 else {
                throw EarshotError(
                    .readFailed,
                    "Reading \(name) ended early, at \(position.label) (\(FFmpegText.reason(result))): the file is not "
                        + "whole; copy or download it again.",
                    position: position
                )
            }
            guard packet.pointee.stream_index == streamIndex else { continue }
            if earshot_packet_is_encrypted(packet) != 0 { throw PacketDecoder.protected(name) }
            let start = format.time(packet.pointee.pts)
            let end = (start ?? position) + EncodedFormat.duration(max(packet.pointee.duration, 0), format.timeBase)
            if let range {
                if let start, start >= range.upperBound { return false }
                if end <= range.lowerBound { continue }
            }
            position = end
            return true
        }
    }

    func next() throws(EarshotError) -> EncodedPacket? {
        guard try advance() else { return nil }
        let held = packet.pointee
        let bytes = held.data.map { Array(UnsafeBufferPointer(start: $0, count: Int(max(held.size, 0)))) } ?? []
        var (leading, trailing) = (UInt32(0), UInt32(0))
        earshot_get_skipped(packet, &leading, &trailing)
        return EncodedPacket(
            bytes,
            at: format.time(held.pts),
            duration: EncodedFormat.duration(max(held.duration, 0), format.timeBase),
            leadingFrames: Int(leading),
            trailingFrames: Int(trailing)
        )
    }
}
