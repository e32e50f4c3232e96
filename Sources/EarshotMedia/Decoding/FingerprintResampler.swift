import CFFmpeg
package import EarshotCore

/// Brings audio to what whole-file fingerprints are computed from: 16-bit samples, one channel, a low rate.
///
/// A fingerprint is comparable with those of others only when its samples were made as theirs were. So this is FFmpeg's own
/// resampler with the short filter and the wide transition band that the tool `fpcalc` gives it: 16 taps, 256 phases with
/// interpolation between them, a cutoff at 0.8 of the band. The usual settings of FFmpeg sound better and give other
/// fingerprints, and so does rounding to 16 bits before: the samples of a decoder that gives floating point should come as
/// such. What the filter holds at the end, a few milliseconds, stays there.
///
/// Not thread-safe.
package final class FingerprintResampler {
    private let input: AudioFormat
    private let outputRate: Int
    /// Absent where the samples already are what is wanted.
    private var converter: OpaquePointer?
    private var output: [Int16] = []

    /// A resampler of one format.
    ///
    /// - Parameters:
    ///   - input: The format of every buffer. Channels beyond two are taken for FFmpeg's usual layout of their number.
    ///   - sampleRate: Frames a second that come out, in hertz.
    /// - Throws: `audioFormatInvalid`.
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

    /// Converts one buffer of the resampler's format and hands over what comes out.
    ///
    /// - Throws: `audioFormatInvalid` for a buffer of another format, and what `body` throws.
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
