import CFFmpeg
import EarshotCore
import Foundation

/// Copies a stream's encoded packets into another container, on the caller's thread.
///
/// Not thread-safe; its calls block.
final class PacketCopier {
    private let demuxer: Demuxer
    private let stream: UnsafeMutablePointer<AVStream>
    private let muxer: Muxer
    private let staged: StagedFile?
    private let destination: SoundWriter.Destination
    private let type: FileType
    private let metadata: CarriedMetadata
    private let packet: UnsafeMutablePointer<AVPacket>
    private let cancellation: Cancellation
    private let range: Range<MediaTime>?
    private var copied: MediaTime = .zero
    private var droppedTags: [String] = []

    /// - Throws: `pipelineRefused` when the kind of file does not hold the source's encoding, and what opening and making files throws.
    init(
        _ url: URL,
        stream choice: AssetReader.StreamChoice,
        range: Range<MediaTime>?,
        to destination: SoundWriter.Destination,
        type: FileType,
        metadata: CarriedMetadata,
        cancellation: Cancellation
    ) throws(EarshotError) {
        try destination.check()
        (self.destination, self.type) = (destination, type)
        self.metadata = metadata.cut(from: range?.lowerBound ?? .zero, for: type)
        (self.cancellation, self.range) = (cancellation, range)
        demuxer = try Demuxer(url, cancellation: cancellation)
        stream = try AudioDecoder.choose(choice, in: demuxer)
        for other in demuxer.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        let parameters = stream.pointee.codecpar.pointee
        if earshot_stream_is_encrypted(stream) != 0 { throw PacketDecoder.protected(demuxer.name) }
        (staged, muxer) = try destination.open(type)
        guard let packet = av_packet_alloc() else { throw Demuxer.outOfMemory(demuxer.url) }
        self.packet = packet
        guard type == .raw || avformat_query_codec(muxer.context.pointee.oformat, parameters.codec_id, 0) > 0 else {
            throw EarshotError(
                .pipelineRefused,
                "The packets of \(demuxer.name) cannot be copied into \(type.rawValue), which does not hold "
                    + "\(FFmpegText.codec(parameters)): choose another type, or an encoding."
            )
        }
        let copy = try muxer.addStream()
        avcodec_parameters_copy(copy.pointee.codecpar, stream.pointee.codecpar)
        copy.pointee.codecpar.pointee.codec_tag = 0
        copy.pointee.time_base = stream.pointee.time_base
        let addsTagsLater = staged != nil && CarriedMetadata.takesTagsLater(type)
        self.metadata.apply(to: muxer.context, type: type, withTags: !addsTagsLater)
        try muxer.writeHeader()
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    /// Copies everything, and gives the file its name.
    ///
    /// - Parameter copied: Told of each packet's size, and of the time at its end.
    func run(_ observe: (Int, MediaTime) -> Void) throws(EarshotError) -> WrittenFile {
        let base = stream.pointee.time_base
        let zero = stream.pointee.start_time == earshot_no_timestamp ? 0 : stream.pointee.start_time
        var first: Int64?
        while true {
            if cancellation.isCancelled { throw Demuxer.cancelled(demuxer.name) }
            let result = demuxer.read(into: packet)
            if result == earshot_error_end() { break }
            if result == earshot_error_again() { continue }
            guard result >= 0 else {
                throw EarshotError(
                    .readFailed,
                    "Reading \(demuxer.name) ended early, at \(copied.label) (\(FFmpegText.reason(result))): the file is not "
                        + "whole; copy or download it again.",
                    position: copied
                )
            }
            defer { av_packet_unref(packet) }
            guard packet.pointee.stream_index == stream.pointee.index else { continue }
            if earshot_packet_is_encrypted(packet) != 0 { throw PacketDecoder.protected(demuxer.name) }
            let stamp = packet.pointee.pts
            let start = stamp == earshot_no_timestamp ? nil : Self.time(stamp - zero, base)
            let duration = Self.time(max(packet.pointee.duration, 0), base)
            let end = (start ?? copied) + duration
            if let range {
                if let start, start >= range.upperBound { break }
                if end <= range.lowerBound { continue }
                // What comes after a cut begins at zero.
                if first == nil, stamp != earshot_no_timestamp { first = stamp }
                if let first, stamp != earshot_no_timestamp {
                    packet.pointee.pts -= first
                    packet.pointee.dts = packet.pointee.pts
                }
            }
            copied = end
            let size = Int(packet.pointee.size)
            if let copy = muxer.stream { av_packet_rescale_ts(packet, base, copy.pointee.time_base) }
            packet.pointee.pos = -1
            try muxer.write(packet)
            observe(size, end)
        }
        try muxer.finish()
        return try SoundWriter.name(
            staged,
            destination: destination,
            type: type,
            metadata: metadata,
            frames: 0,
            duration: copied,
            byteCount: muxer.byteCount,
            dropped: &droppedTags
        )
    }

    private static func time(_ value: Int64, _ base: AVRational) -> MediaTime {
        let (product, overflow) = value.multipliedReportingOverflow(by: Int64(base.num))
        return overflow ? .indefinite : MediaTime(value: product, timescale: base.den)
    }
}
