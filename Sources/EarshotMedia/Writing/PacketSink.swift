import CFFmpeg
import EarshotCore

/// Writes encoded packets to a file as they are, on the caller's thread.
///
/// A file appears under its name when it is whole, and not before. Not thread-safe; its calls block.
final class PacketSink {
    private let format: EncodedFormat
    private let destination: AudioStreamWriter.Destination
    private let type: FileType
    private let metadata: CarriedMetadata
    private let staged: StagedFile?
    private let muxer: Muxer
    private let packet: UnsafeMutablePointer<AVPacket>
    /// The container's time of what becomes the file's zero.
    private let start: Int64
    private var end: MediaTime = .zero

    /// Makes the file, under a name of its own yet.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - type: The file type.
    ///   - format: The encoding of the packets.
    ///   - start: The time of the packet that comes first; absent where everything is written, and a decoder's lead with it.
    ///   - metadata: The metadata of the file.
    ///   - name: The name of the packets in messages.
    /// - Throws: `destinationExists`, `pipelineRefused` when the kind of file does not hold the encoding, `codecUnsupported`,
    ///   `writeFailed`.
    init(
        _ destination: AudioStreamWriter.Destination,
        type: FileType,
        format: EncodedFormat,
        start: MediaTime? = nil,
        metadata: CarriedMetadata = .nothing,
        name: String
    ) throws(EarshotError) {
        (self.destination, self.type, self.format, self.metadata) = (destination, type, format, metadata)
        self.start = start.map { format.stamp($0) } ?? 0
        (staged, muxer) = try destination.open(type)
        guard let packet = av_packet_alloc() else { throw Self.outOfMemory(destination) }
        self.packet = packet
        guard format.fits(type, muxer.context.pointee.oformat) else {
            throw EarshotError(
                .pipelineRefused,
                "The packets of \(name) cannot be copied into \(type.rawValue), which does not hold \(format.codec): "
                    + "choose another type, or an encoding."
            )
        }
        let stream = try muxer.addStream()
        guard avcodec_parameters_copy(stream.pointee.codecpar, format.parameters.pointer) >= 0 else {
            throw Self.outOfMemory(destination)
        }
        stream.pointee.codecpar.pointee.codec_tag = 0
        stream.pointee.time_base = format.timeBase
        let addsTagsLater = staged != nil && metadata.addsTagsLater(to: type)
        metadata.apply(to: muxer.context, type: type, withTags: !addsTagsLater)
        try muxer.writeHeader()
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    /// Writes a packet.
    ///
    /// - Throws: `containerLimit`, `writeFailed`.
    func write(_ encoded: EncodedPacket) throws(EarshotError) {
        guard let size = Int32(exactly: encoded.bytes.count), av_new_packet(packet, size) == 0 else {
            throw Self.outOfMemory(destination)
        }
        defer { av_packet_unref(packet) }
        if let data = packet.pointee.data {
            UnsafeMutableRawBufferPointer(start: data, count: encoded.bytes.count).copyBytes(from: encoded.bytes)
        }
        packet.pointee.flags |= AV_PKT_FLAG_KEY
        packet.pointee.pts = encoded.time.map { format.stamp($0) } ?? earshot_no_timestamp
        packet.pointee.dts = packet.pointee.pts
        packet.pointee.duration = format.stamp(encoded.duration) - format.zero
        if encoded.leadingFrames > 0 || encoded.trailingFrames > 0 {
            let result = earshot_set_skipped(
                packet,
                UInt32(clamping: encoded.leadingFrames),
                UInt32(clamping: encoded.trailingFrames)
            )
            guard result >= 0 else { throw Self.outOfMemory(destination) }
        }
        try write(packet, until: (encoded.time ?? end) + encoded.duration)
    }

    /// Writes a packet of the source, with the source's times.
    ///
    /// - Parameters:
    ///   - packet: A packet of the source; it is empty afterwards.
    ///   - end: The packet's end on the source's timeline.
    func write(_ packet: UnsafeMutablePointer<AVPacket>, until end: MediaTime) throws(EarshotError) {
        if packet.pointee.pts != earshot_no_timestamp { packet.pointee.pts -= start }
        if packet.pointee.dts != earshot_no_timestamp { packet.pointee.dts -= start }
        if let stream = muxer.stream { av_packet_rescale_ts(packet, format.timeBase, stream.pointee.time_base) }
        packet.pointee.pos = -1
        try muxer.write(packet)
        self.end = max(self.end, end)
    }

    /// Ends the file and gives it its name.
    ///
    /// - Throws: `destinationExists` when somebody else has made one of that name meanwhile, `writeFailed`.
    func finish() throws(EarshotError) -> WrittenFile {
        try muxer.finish()
        var dropped: [String] = []
        return try AudioStreamWriter.name(
            staged,
            destination: destination,
            type: type,
            metadata: metadata,
            frames: 0,
            duration: end,
            byteCount: muxer.byteCount,
            dropped: &dropped
        )
    }

    private static func outOfMemory(_ destination: AudioStreamWriter.Destination) -> EarshotError {
        EarshotError(
            .internalError,
            "\(destination.name) cannot be written for want of memory: end other programs."
        )
    }
}
