import CFFmpeg
package import EarshotCore

/// Converts audio for Chromaprint fingerprints of whole files: 16-bit samples, one channel, a low sample rate.
///
/// Fingerprints are comparable only if their samples were made in the same way. So this is FFmpeg's resampler with the
/// settings of the tool `fpcalc`: a filter of 16 taps, 256 phases with interpolation between them, a cutoff at 0.8 of
/// the band. FFmpeg's default settings sound better, but give other fingerprints. So does rounding to 16 bits before:
/// append floating-point samples if the decoder delivers them. A few milliseconds remain in the filter at the end.
///
/// Not thread-safe.
package final class FingerprintResampler {
    private let input: AudioFormat
    private let outputRate: Int
    /// Absent where the samples already are what is wanted.
    private var converter: OpaquePointer?
    private var output: [Int16] = []

    /// Creates a resampler for one input format.
    ///
    /// - Parameters:
    ///   - input: The format of every buffer. More than two channels are taken for FFmpeg's default layout of their
    ///     number.
    ///   - sampleRate: The sample rate of the output, in hertz.
    /// - Throws: `audioFormatInvalid` for an unsupported sample rate or number of channels.
    package init(from input: AudioFormat, toSampleRate sampleRate: Int) throws(EarshotError) {
        self.input = input
        outputRate = sampleRate
        guard AudioDecoder.sampleRates.contains(input.sampleRate), (1...64).contains(input.channelCount) else {
            throw Self.unusable(input)
        }
        guard input != AudioFormat(sampleRate: sampleRate, channelCount: 1, sampleType: .int16) else { return }
        FFmpegLog.silence()
        var (source, target) = (AVChannelLayout(), AVChannelLayout())
        defer {
            av_channel_layout_uninit(&source)
            av_channel_layout_uninit(&target)
        }
        av_channel_layout_default(&source, Int32(input.channelCount))
        av_channel_layout_default(&target, 1)
        let type = input.sampleType == .int16 ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_FLT
        var result = swr_alloc_set_opts2(
            &converter,
            &target,
            AV_SAMPLE_FMT_S16,
            Int32(sampleRate),
            &source,
            type,
            Int32(input.sampleRate),
            0,
            nil
        )
        if result >= 0, let converter {
            let options = UnsafeMutableRawPointer(converter)
            av_opt_set_int(options, "filter_size", 16, 0)
            av_opt_set_int(options, "phase_shift", 8, 0)
            av_opt_set_int(options, "linear_interp", 1, 0)
            av_opt_set_double(options, "cutoff", 0.8, 0)
            result = swr_init(converter)
        }
        guard result >= 0, converter != nil else {
            swr_free(&converter)
            throw Self.unusable(input)
        }
    }

    deinit {
        swr_free(&converter)
    }

    /// Converts a buffer and calls a closure with the output samples that are complete.
    ///
    /// - Parameters:
    ///   - buffer: The audio, in the input format of the resampler.
    ///   - body: Receives the samples, which are valid during the call only.
    /// - Throws: `audioFormatInvalid` for a buffer of another format, and the errors of `body`.
    package func convert(
        _ buffer: AudioBuffer,
        _ body: (UnsafeBufferPointer<Int16>) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        guard buffer.format == input else { throw Self.unusable(buffer.format) }
        guard let converter else {
            guard case .int16(let samples) = buffer.samples else { return }
            return try Self.lend(samples, body)
        }
        let frames = buffer.frameCount
        let room = av_rescale_rnd(
            swr_get_delay(converter, Int64(input.sampleRate)) + Int64(frames),
            Int64(outputRate),
            Int64(input.sampleRate),
            AV_ROUND_UP
        )
        if output.count < Int(room) + 64 { output = [Int16](repeating: 0, count: Int(room) + 64) }
        let count =
            switch buffer.samples {
            case .int16(let samples): samples.withUnsafeBytes { run(converter, $0, frames: frames) }
            case .float32(let samples): samples.withUnsafeBytes { run(converter, $0, frames: frames) }
            }
        guard count >= 0 else {
            throw EarshotError(
                .internalError,
                "Audio of \(input) cannot be resampled (\(FFmpegText.report(count))): please report this."
            )
        }
        try Self.lend(output, count: Int(count), body)
    }

    private func run(_ converter: OpaquePointer, _ bytes: UnsafeRawBufferPointer, frames: Int) -> Int32 {
        output.withUnsafeMutableBytes { target in
            var planes: [UnsafeMutablePointer<UInt8>?] = [target.baseAddress?.assumingMemoryBound(to: UInt8.self)]
            var sources: [UnsafePointer<UInt8>?] = [bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)]
            return swr_convert(
                converter,
                &planes,
                Int32(clamping: target.count / 2),
                &sources,
                Int32(clamping: frames)
            )
        }
    }

    /// A closure that throws a stated error does not pass through the library's own lending of memory.
    private static func lend(
        _ samples: [Int16],
        count: Int? = nil,
        _ body: (UnsafeBufferPointer<Int16>) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        let result: Result<Void, EarshotError> = samples.withUnsafeBufferPointer { samples in
            Result { () throws(EarshotError) in
                try body(UnsafeBufferPointer(rebasing: samples.prefix(count ?? samples.count)))
            }
        }
        try result.get()
    }

    private static func unusable(_ format: AudioFormat) -> EarshotError {
        EarshotError(
            .audioFormatInvalid,
            "No fingerprint can be made of audio at \(format): give 1 to 64 channels at 1,000 to 768,000 Hz, and every "
                + "buffer of one source in the same format."
        )
    }
}
