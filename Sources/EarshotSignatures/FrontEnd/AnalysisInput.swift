import EarshotCore

/// The first step of every analysis: buffers of any usable format become mono samples at the analysis rate.
struct AnalysisInput: Sendable {
    private var resampler: Resampler?

    /// What a buffer adds.
    ///
    /// Where the rate changes, the old filter rings out and the new one begins on the same timeline.
    mutating func samples(of buffer: AudioBuffer) -> [Float] {
        var samples: [Float] = []
        if resampler?.inputRate != buffer.sampleRate {
            resampler?.finish(to: &samples)
            resampler = Resampler(from: buffer.sampleRate, to: SignatureConfiguration.sampleRate)
        }
        resampler?.append(Self.mono(buffer), to: &samples)
        return samples
    }

    /// What the filter still holds at the end of the audio.
    mutating func finish() -> [Float] {
        var samples: [Float] = []
        resampler?.finish(to: &samples)
        return samples
    }

    /// Silence in pieces of at most 65,536 frames.
    static func silence(frames: Int64, sampleRate: Int, _ body: (AudioBuffer) -> Void) {
        var rest = Int(clamping: frames)
        while rest > 0 {
            let count = min(rest, 65_536)
            body(AudioBuffer([Float](repeating: 0, count: count), sampleRate: sampleRate))
            rest -= count
        }
    }

    /// The mean of the channels, as floating point. What is not a finite number is taken as silence.
    private static func mono(_ buffer: AudioBuffer) -> [Float] {
        let channels = buffer.channelCount
        switch buffer.samples {
        case .int16(let samples):
            return mix(samples, channels: channels, scale: 1 / (32_768 * Float(channels))) { Float($0) }
        case .float32(let samples):
            // Beyond 64 times full scale is no audio; the limit keeps squares finite.
            return mix(samples, channels: channels, scale: 1 / Float(channels)) {
                $0.isFinite ? min(max($0, -64), 64) : 0
            }
        }
    }

    @inline(__always)
    private static func mix<Sample>(
        _ samples: [Sample],
        channels: Int,
        scale: Float,
        convert: (Sample) -> Float
    ) -> [Float] {
        let frames = samples.count / channels
        return [Float](unsafeUninitializedCapacity: frames) { output, count in
            samples.withUnsafeBufferPointer { samples in
                for frame in 0..<frames {
                    var sum: Float = 0
                    for channel in 0..<channels { sum += convert(samples[frame * channels + channel]) }
                    output.initializeElement(at: frame, to: sum * scale)
                }
            }
            count = frames
        }
    }
}
