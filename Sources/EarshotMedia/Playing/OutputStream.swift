import CFFmpeg
import EarshotCore
import Foundation

/// An open output device: an owner for FFmpeg's context of it.
///
/// Not thread-safe; its calls block.
final class OutputStream {
    let format: AudioFormat
    private let device: OutputDevice
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private var frames: Int64 = 0
    private var hasHeader = false

    /// - Throws: `deviceUnavailable`, `internalError` without memory.
    init(_ device: OutputDevice, format: AudioFormat) throws(EarshotError) {
        FFmpegLog.silence()
        CaptureDrivers.register()
        (self.device, self.format) = (device, format)
        var made: UnsafeMutablePointer<AVFormatContext>?
        let result = avformat_alloc_output_context2(&made, nil, device.system.rawValue, device.id)
        guard result >= 0, let made else { throw Self.unavailable(device, result) }
        guard let packet = av_packet_alloc() else {
            avformat_free_context(made)
            throw EarshotError(
                .internalError,
                "\(device) cannot be played through for want of memory: end other programs."
            )
        }
        (context, self.packet) = (made, packet)
        try addStream()
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if device.system == .pulse {
            av_dict_set(&options, "name", "Earshot", 0)
            av_dict_set(&options, "buffer_duration", "200", 0)
            if let id = device.id { av_dict_set(&options, "device", id, 0) }
            if let server = device.server { av_dict_set(&options, "server", server, 0) }
        }
        let opened = avformat_write_header(context, &options)
        guard opened >= 0 else { throw Self.unavailable(device, opened) }
        hasHeader = true
    }

    deinit {
        if hasHeader { av_write_trailer(context) }
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        avformat_free_context(context)
    }

    private func addStream() throws(EarshotError) {
        guard let stream = avformat_new_stream(context, nil), let parameters = stream.pointee.codecpar else {
            throw EarshotError(
                .internalError,
                "\(device) cannot be played through for want of memory: end other programs."
            )
        }
        parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        let isBig = 1.bigEndian == 1
        let isShort = format.sampleType == .int16
        parameters.pointee.codec_id =
            isShort
            ? (isBig ? AV_CODEC_ID_PCM_S16BE : AV_CODEC_ID_PCM_S16LE)
            : (isBig ? AV_CODEC_ID_PCM_F32BE : AV_CODEC_ID_PCM_F32LE)
        parameters.pointee.format = (isShort ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_FLT).rawValue
        parameters.pointee.sample_rate = Int32(clamping: format.sampleRate)
        av_channel_layout_default(&parameters.pointee.ch_layout, Int32(clamping: format.channelCount))
        stream.pointee.time_base = AVRational(num: 1, den: parameters.pointee.sample_rate)
    }

    /// Plays samples, and waits until the device has taken them.
    ///
    /// - Throws: `deviceUnavailable` when it goes away.
    func write(_ buffer: AudioBuffer) throws(EarshotError) {
        let result =
            switch buffer.samples {
            case .int16(let samples):
                samples.withUnsafeBytes { bytes in Result { () throws(EarshotError) in try write(bytes) } }
            case .float32(let samples):
                samples.withUnsafeBytes { bytes in Result { () throws(EarshotError) in try write(bytes) } }
            }
        try result.get()
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(EarshotError) {
        guard !bytes.isEmpty else { return }
        guard av_new_packet(packet, Int32(clamping: bytes.count)) == 0, let data = packet.pointee.data else {
            throw EarshotError(
                .internalError,
                "\(device) cannot be played through for want of memory: end other programs."
            )
        }
        defer { av_packet_unref(packet) }
        UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyMemory(from: bytes)
        let frameBytes = format.channelCount * (format.sampleType == .int16 ? 2 : 4)
        let count = Int64(bytes.count / max(1, frameBytes))
        guard let stream = context.pointee.streams[0] else { return }
        let base = AVRational(num: 1, den: Int32(clamping: format.sampleRate))
        packet.pointee.pts = av_rescale_q(frames, base, stream.pointee.time_base)
        packet.pointee.dts = packet.pointee.pts
        packet.pointee.duration = av_rescale_q(count, base, stream.pointee.time_base)
        let result = av_write_frame(context, packet)
        guard result >= 0 else { throw Self.unavailable(device, result) }
        frames += count
    }

    /// The latency until the last written audio is heard; zero if the device does not report it.
    var delay: MediaTime {
        var (stamp, wall) = (Int64(0), Int64(0))
        guard let stream = context.pointee.streams[0],
            av_get_output_timestamp(context, 0, &stamp, &wall) >= 0
        else { return .zero }
        let base = AVRational(num: 1, den: Int32(clamping: format.sampleRate))
        let heard = av_rescale_q(stamp, stream.pointee.time_base, base)
        // Some drivers forget it for a moment.
        return MediaTime(
            frames: min(max(frames - heard, 0), Int64(2 * format.sampleRate)),
            sampleRate: format.sampleRate
        )
    }

    /// Waits until everything is heard.
    func finish() throws(EarshotError) {
        // A device begins when its buffer of 200 ms is full, and drops at its end what is in it.
        let count = format.sampleRate / 4 * format.channelCount * (format.sampleType == .int16 ? 2 : 4)
        let silence = [UInt8](repeating: 0, count: count)
        try silence.withUnsafeBytes { bytes in Result { () throws(EarshotError) in try write(bytes) } }.get()
        let rest = delay.seconds
        if rest > 0 { usleep(UInt32(rest * 1_000_000)) }
    }

    private static func unavailable(_ device: OutputDevice, _ code: Int32) -> EarshotError {
        EarshotError(
            .deviceUnavailable,
            "The output \(device) cannot be played through (\(FFmpegText.reason(code))): connect it, start the sound server, or choose "
                + "another."
        )
    }
}
