import CFFmpeg
import EarshotCore

/// Reads one stream's packets and decodes them frame by frame: an owner for FFmpeg's codec context, packet and frame.
///
/// Not thread-safe; its calls block.
final class PacketDecoder {
    /// The counts of packets read and decoded, compared with the length that the container states.
    struct Tally {
        /// The latest end of a good packet, as a timestamp.
        var end: Int64 = .min
        /// The earliest begin of one.
        var start: Int64 = .max
        /// Durations of the good packets together.
        var total: Int64 = 0
        /// The longest of them.
        var longest: Int64 = 0
        /// Samples of each channel that came out.
        var frames: Int64 = 0
        /// The most of them that one decoded frame had.
        var longestFrame: Int64 = 0
        /// `true` if the last packet of all was damaged.
        var endsDamaged = false
    }

    /// Read errors in a row after which reading gives up.
    private static let patience = 32

    let demuxer: Demuxer
    let stream: UnsafeMutablePointer<AVStream>
    let frame: UnsafeMutablePointer<AVFrame>
    private(set) var tally = Tally()
    /// The error other than the end at which the demuxer stopped.
    private(set) var readError: Int32?
    private let codec: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let cancellation: Cancellation
    private let foundDamage: () -> Void
    private let isPCM: Bool
    private var current: (start: Int64, duration: Int64, isGood: Bool)?
    private var failures = 0
    /// The byte position of the packet that was decoded last; -1 if the container does not state it.
    private(set) var bytePosition: Int64 = -1
    private var isDraining = false

    /// Opens the decoder of a stream; the others are skipped from here on.
    ///
    /// - Throws: `assetProtected`, `codecUnsupported` or `assetUnreadable`.
    init(
        _ demuxer: Demuxer,
        stream: UnsafeMutablePointer<AVStream>,
        cancellation: Cancellation,
        foundDamage: @escaping () -> Void
    ) throws(EarshotError) {
        var opened: UnsafeMutablePointer<AVCodecContext>? = try Self.open(stream, name: demuxer.name)
        var newPacket = av_packet_alloc()
        var newFrame = av_frame_alloc()
        guard let codec = opened, let packet = newPacket, let frame = newFrame else {
            avcodec_free_context(&opened)
            av_packet_free(&newPacket)
            av_frame_free(&newFrame)
            throw Demuxer.outOfMemory(demuxer.url)
        }
        for other in demuxer.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        self.demuxer = demuxer
        self.stream = stream
        self.cancellation = cancellation
        self.foundDamage = foundDamage
        self.codec = codec
        self.packet = packet
        self.frame = frame
        let name = String(cString: avcodec_get_name(stream.pointee.codecpar.pointee.codec_id))
        isPCM = name.hasPrefix("pcm_")
    }

    deinit {
        var codec: UnsafeMutablePointer<AVCodecContext>? = codec
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        avcodec_free_context(&codec)
        av_packet_free(&packet)
        av_frame_free(&frame)
    }

    /// Decodes the next frame into ``frame``; false at the end.
    ///
    /// - Throws: `cancelled` or `assetProtected`.
    func decodeFrame() throws(EarshotError) -> Bool {
        while true {
            let result = avcodec_receive_frame(codec, frame)
            if result == 0 {
                guard isUsable(frame) else {
                    markDamaged()
                    continue
                }
                tally.frames += Int64(frame.pointee.nb_samples)
                tally.longestFrame = max(tally.longestFrame, Int64(frame.pointee.nb_samples))
                return true
            }
            if result == earshot_error_end() { return false }
            if result != earshot_error_again() {
                markDamaged()
                // A decoder that keeps failing after its last packet has nothing more to give.
                if isDraining { return false }
            }
            settleCurrent()
            try sendPacket()
        }
    }

    /// Goes to the last point of entry at or before a timestamp; false when the file cannot.
    func seek(to timestamp: Int64) -> Bool {
        let index = stream.pointee.index
        guard avformat_seek_file(demuxer.context, index, .min, timestamp, timestamp, 0) >= 0 else { return false }
        avcodec_flush_buffers(codec)
        tally = Tally()
        current = nil
        return true
    }

    /// Reads packets until one has been taken by the decoder, or the end.
    private func sendPacket() throws(EarshotError) {
        while true {
            if cancellation.isCancelled { throw Demuxer.cancelled(demuxer.name) }
            let result = demuxer.read(into: packet)
            guard result == 0 else {
                if try isFinal(result) {
                    isDraining = true
                    avcodec_send_packet(codec, nil)
                    return
                }
                continue
            }
            failures = 0
            defer { av_packet_unref(packet) }
            guard packet.pointee.stream_index == stream.pointee.index else { continue }
            if earshot_packet_is_encrypted(packet) != 0 { throw Self.protected(demuxer.name) }
            current = (packet.pointee.pts, packet.pointee.duration, true)
            bytePosition = packet.pointee.pos
            // What is left of a cut packet is still sound as PCM; in other encodings it decodes to noise.
            let isCut = packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
            if isCut { current?.isGood = false }
            if isCut && !isPCM || avcodec_send_packet(codec, packet) < 0 {
                markDamaged()
                settleCurrent()
                continue
            }
            return
        }
    }

    /// Returns `true` if a read error ends reading; counts those that do not.
    private func isFinal(_ error: Int32) throws(EarshotError) -> Bool {
        if cancellation.isCancelled || error == earshot_error_exit() { throw Demuxer.cancelled(demuxer.name) }
        if error == earshot_error_end() { return true }
        failures += 1
        // Some demuxers report a damaged place once and find their way behind it.
        if error == earshot_error_invalid_data(), failures < Self.patience {
            foundDamage()
            tally.endsDamaged = true
            return false
        }
        readError = error
        return true
    }

    private func markDamaged() {
        current?.isGood = false
        tally.endsDamaged = true
        foundDamage()
    }

    private func settleCurrent() {
        guard let packet = current else { return }
        current = nil
        guard packet.isGood else { return }
        tally.endsDamaged = false
        let duration = max(packet.duration, 0)
        tally.total &+= duration
        tally.longest = max(tally.longest, duration)
        guard packet.start != earshot_no_timestamp else { return }
        tally.start = min(tally.start, packet.start)
        tally.end = max(tally.end, packet.start &+ duration)
    }

    private func isUsable(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        frame.pointee.nb_samples > 0 && frame.pointee.ch_layout.nb_channels > 0
            && AudioDecoder.sampleRates.contains(Int(frame.pointee.sample_rate))
    }
}
