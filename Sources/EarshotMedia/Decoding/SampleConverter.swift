import CFFmpeg
import EarshotCore

/// Turns decoded frames into interleaved samples of one format; copies where they already are.
final class SampleConverter {
    let output: AudioFormat
    private let type: SampleBuffer.Kind
    private let resampling: ResamplingQuality
    private let name: String
    private let outputFormat: AVSampleFormat
    private var outputLayout = AVChannelLayout()
    private var converter: OpaquePointer?
    private var source: Source?
    private var scratch: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)
    /// Frames taken in and given out since the last ``drain``, for the exact length at its end.
    private var taken: Int64 = 0
    private var given: Int64 = 0

    private struct Source: Equatable {
        var sampleRate: Int32
        var channelCount: Int32
        var format: Int32
    }

    /// - Parameters:
    ///   - output: The rate and channels of what comes out.
    ///   - type: The type of its samples.
    ///   - layout: The places of the source's channels; kept for the output when it has as many.
    ///   - resampling: The quality of resampling.
    ///   - name: The file, for messages.
    init(
        output: AudioFormat,
        type: SampleBuffer.Kind,
        layout: AVChannelLayout,
        resampling: ResamplingQuality = .standard,
        name: String
    ) {
        self.name = name
        self.output = output
        self.type = type
        self.resampling = resampling
        outputFormat = type.format
        if layout.nb_channels == output.channelCount {
            var layout = layout
            earshot_layout_of(&layout, &outputLayout)
        } else {
            av_channel_layout_default(&outputLayout, Int32(output.channelCount))
        }
    }

    deinit {
        swr_free(&converter)
        av_channel_layout_uninit(&outputLayout)
        scratch.deallocate()
    }

    /// Returns `true` if a frame comes in another format than the one before it, so that ``drain(into:)`` is due first.
    func isNewFormat(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        source.map { $0 != Self.source(of: frame) } ?? false
    }

    /// Converts one frame.
    func convert(_ frame: UnsafeMutablePointer<AVFrame>, into builder: inout BlockBuilder) throws(EarshotError) {
        let source = Self.source(of: frame)
        if source != self.source {
            self.source = source
            swr_free(&converter)
            if !isPlainCopy(source) { try configure(frame) }
        }
        let count = Int(frame.pointee.nb_samples)
        guard let converter else {
            if let bytes = frame.pointee.extended_data[0] { builder.append(bytes, frames: count) }
            return
        }
        taken += Int64(count)
        let room = av_rescale_rnd(
            swr_get_delay(converter, Int64(source.sampleRate)) + Int64(count),
            Int64(output.sampleRate),
            Int64(source.sampleRate),
            AV_ROUND_UP
        )
        try run(converter, frame, capacity: Int(room) + 64, into: &builder)
    }

    /// Gives what the resampler still holds, and forgets everything before.
    func drain(into builder: inout BlockBuilder) throws(EarshotError) {
        guard let converter else { return }
        let room = Int(swr_get_delay(converter, Int64(output.sampleRate))) + 64
        try run(converter, nil, capacity: room, into: &builder)
        (taken, given) = (0, 0)
        swr_free(&self.converter)
        self.source = nil
    }

    private static func source(of frame: UnsafeMutablePointer<AVFrame>) -> Source {
        Source(
            sampleRate: frame.pointee.sample_rate,
            channelCount: frame.pointee.ch_layout.nb_channels,
            format: frame.pointee.format
        )
    }

    private func isPlainCopy(_ source: Source) -> Bool {
        let format = AVSampleFormat(source.format)
        // With one channel, planar and interleaved samples are the same bytes.
        let packed = source.channelCount == 1 ? av_get_packed_sample_fmt(format) : format
        return packed == outputFormat && source.channelCount == output.channelCount
            && source.sampleRate == output.sampleRate
    }

    private func configure(_ frame: UnsafeMutablePointer<AVFrame>) throws(EarshotError) {
        var input = AVChannelLayout()
        defer { av_channel_layout_uninit(&input) }
        earshot_layout_of(&frame.pointee.ch_layout, &input)
        let allocated = swr_alloc_set_opts2(
            &converter,
            &outputLayout,
            outputFormat,
            Int32(output.sampleRate),
            &input,
            AVSampleFormat(frame.pointee.format),
            frame.pointee.sample_rate,
            0,
            nil
        )
        var result = allocated
        if result >= 0, let converter {
            // Without a limit, floating-point channels would be mixed to more than full scale, and integers not.
            av_opt_set_double(UnsafeMutableRawPointer(converter), "rematrix_maxval", 1, 0)
            setPlainMatrix(converter, input: input)
            resampling.apply(to: converter)
            result = swr_init(converter)
        }
        guard result >= 0 else {
            swr_free(&converter)
            source = nil
            throw EarshotError(
                .audioFormatInvalid,
                """
                \(name) cannot be decoded to \(output) from \(input.nb_channels) channels at \
                \(frame.pointee.sample_rate) Hz (\(FFmpegText.reason(result))): ask for its own rate and channels.
                """
            )
        }
    }

    /// Channels whose places are unknown are mixed evenly: all into one, or by turns into left and right.
    private func setPlainMatrix(_ converter: OpaquePointer, input: AVChannelLayout) {
        let (inputs, outputs) = (Int(input.nb_channels), output.channelCount)
        guard input.order != AV_CHANNEL_ORDER_NATIVE, inputs != outputs else { return }
        var matrix = [Double](repeating: 0, count: inputs * outputs)
        for channel in 0..<inputs {
            let target = channel % outputs
            let share = (inputs - target + outputs - 1) / outputs
            matrix[target * inputs + channel] = 1 / Double(max(share, 1))
        }
        swr_set_matrix(converter, matrix, Int32(inputs))
    }

    private func run(
        _ converter: OpaquePointer,
        _ frame: UnsafeMutablePointer<AVFrame>?,
        capacity: Int,
        into builder: inout BlockBuilder
    ) throws(EarshotError) {
        let frameBytes = output.channelCount * type.byteCount
        if scratch.count < capacity * frameBytes {
            scratch.deallocate()
            scratch = .allocate(byteCount: capacity * frameBytes, alignment: 64)
        }
        guard let bytes = scratch.baseAddress else { return }
        var count = earshot_convert(
            converter,
            bytes.assumingMemoryBound(to: UInt8.self),
            Int32(clamping: capacity),
            frame
        )
        guard count >= 0 else {
            throw EarshotError(
                .internalError,
                "\(name) cannot be decoded to \(output) (\(FFmpegText.report(count))): please report this."
            )
        }
        if frame == nil, let source {
            // The resampler may end a frame or so beyond the source.
            let whole = av_rescale(taken, Int64(output.sampleRate), Int64(source.sampleRate))
            count = Int32(clamping: min(Int64(count), max(whole - given, 0)))
        }
        given += Int64(count)
        builder.append(bytes, frames: Int(count))
    }
}
