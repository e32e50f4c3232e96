import CFFmpeg
import EarshotCore
import Foundation

/// Reads an open capture device.
final class DeviceInput: CaptureInput {
    let format: AudioFormat
    let isWhole = false
    private let packets: PacketDecoder
    private let converter: SampleConverter
    private var builder: BlockBuilder
    private var timeline: CaptureTimeline
    private let clock: MediaClock
    private let name: String
    var route: String? { name }
    private var isAtEnd = false

    /// Opens a device.
    ///
    /// - Throws: `microphoneUnavailable` when there is none, or it may not be used; `deviceUnavailable` when this one cannot
    ///   be opened; `audioFormatInvalid`.
    init(
        _ device: CaptureDevice?,
        options: CaptureSource.Options,
        clock: MediaClock,
        cancellation: Cancellation
    ) throws(EarshotError) {
        let chosen: CaptureDevice
        if let device {
            chosen = device
        } else {
            chosen = try CaptureDevice.choose(from: CaptureDevice.list(server: nil))
        }
        let blockDuration = options.blockDuration
        let demuxer = try Demuxer(
            device: chosen,
            isDefault: device == nil,
            // Half a block, so that a block waits for little more than its own sound.
            fragment: blockDuration.converted(toTimescale: 1_000).value / 2,
            cancellation: cancellation
        )
        let stream = try AudioDecoder.choose(.best, in: demuxer)
        packets = try PacketDecoder(demuxer, stream: stream, cancellation: cancellation, foundDamage: {})
        let parameters = stream.pointee.codecpar.pointee
        let channels =
            switch options.channels {
            case .source: Int(parameters.ch_layout.nb_channels)
            case .mono: 1
            case .stereo: 2
            case .count(let count): count
            }
        format = AudioFormat(
            sampleRate: options.sampleRate ?? Int(parameters.sample_rate),
            channelCount: channels,
            sampleType: options.sampleType
        )
        name = chosen.description
        converter = SampleConverter(
            output: format,
            type: SampleBuffer.Kind(format.sampleType),
            layout: parameters.ch_layout,
            name: name
        )
        builder = BlockBuilder(
            format: format,
            type: SampleBuffer.Kind(format.sampleType),
            blockFrames: CaptureSource.Options.frames(blockDuration, sampleRate: format.sampleRate),
            range: (.min / 2)..<(.max / 2)
        )
        timeline = CaptureTimeline(sampleRate: Int(parameters.sample_rate))
        self.clock = clock
    }

    func next() throws(EarshotError) -> AudioBlock? {
        while true {
            if let block = builder.nextBlock() { return block.audioBlock }
            if isAtEnd { throw Self.lost(name, packets.readError) }
            guard try packets.decodeFrame() else {
                isAtEnd = true
                try converter.drain(into: &builder)
                builder.finish()
                continue
            }
            let frame = packets.frame
            let stamp = frame.pointee.best_effort_timestamp
            let missing = timeline.place(
                recorded: stamp == earshot_no_timestamp
                    ? nil
                    : av_rescale_q(stamp, packets.stream.pointee.time_base, AVRational(num: 1, den: 1_000_000)),
                arrived: clock.now.converted(toTimescale: 1_000_000).value,
                frames: Int(frame.pointee.nb_samples)
            )
            if missing > 0 {
                try converter.drain(into: &builder)
                builder.move(to: builder.position + av_rescale(missing, Int64(format.sampleRate), 1_000_000))
            }
            try converter.convert(frame, into: &builder)
        }
    }

    private static func lost(_ name: String, _ code: Int32?) -> EarshotError {
        let reason = code.map { " (\(FFmpegText.reason($0)))" } ?? ""
        return EarshotError(
            .deviceUnavailable,
            "The capture device \(name) was disconnected\(reason): connect it again, or list the devices with `earshot devices`."
        )
    }
}
