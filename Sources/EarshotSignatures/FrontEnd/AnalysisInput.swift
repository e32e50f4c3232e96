package import EarshotCore
import EarshotDSP

/// The first step of the analysis: converts audio of any supported format to mono samples at 16 kHz.
package struct AnalysisInput: Sendable {
    private var resampler: Resampler?

    /// Creates an input without audio.
    package init() {}

    /// Returns the samples that are complete after a buffer is added. The resampler holds some back.
    ///
    /// If the sample rate changes, the old filter is drained and a new one continues on the same timeline.
    package mutating func samples(of buffer: AudioBuffer) -> [Float] {
        var samples: [Float] = []
        if resampler?.inputRate != buffer.sampleRate {
            resampler?.finish(to: &samples)
            resampler = Resampler(from: buffer.sampleRate, to: SignatureConfiguration.sampleRate)
        }
        resampler?.append(Self.mono(buffer), to: &samples)
        return samples
    }

    /// Returns the samples that are left in the resampler at the end of the audio.
    package mutating func finish() -> [Float] {
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
            if channels <= 2 { return mixPlain(samples, channels: channels) }
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

    /// Mixes like ``mix(_:channels:scale:convert:)`` for one or two channels, eight frames at once and with the same
    /// results.
    private static func mixPlain(_ samples: [Float], channels: Int) -> [Float] {
        let frames = samples.count / channels
        let scale = 1 / Float(channels)
        return [Float](unsafeUninitializedCapacity: frames) { output, count in
            samples.withUnsafeBytes { bytes in
                let results = UnsafeMutableRawBufferPointer(output)
                var frame = 0
                while frame + 8 <= frames {
                    let start = frame * channels * 4
                    var sum: SIMD8<Float>
                    if channels == 1 {
                        sum =
                            SIMD8<Float>.zero
                            + usable(bytes.loadUnaligned(fromByteOffset: start, as: SIMD8<Float>.self))
                    } else {
                        let first = usable(bytes.loadUnaligned(fromByteOffset: start, as: SIMD8<Float>.self))
                        let second = usable(bytes.loadUnaligned(fromByteOffset: start + 32, as: SIMD8<Float>.self))
                        sum = SIMD8<Float>.zero + SIMD8(lowHalf: first.evenHalf, highHalf: second.evenHalf)
                        sum += SIMD8(lowHalf: first.oddHalf, highHalf: second.oddHalf)
                    }
                    sum *= scale
                    results.storeBytes(of: sum, toByteOffset: frame * 4, as: SIMD8<Float>.self)
                    frame += 8
                }
                while frame < frames {
                    var sum: Float = 0
                    for channel in 0..<channels {
                        let sample = bytes.loadUnaligned(
                            fromByteOffset: (frame * channels + channel) * 4,
                            as: Float.self
                        )
                        sum += sample.isFinite ? min(max(sample, -64), 64) : 0
                    }
                    results.storeBytes(of: sum * scale, toByteOffset: frame * 4, as: Float.self)
                    frame += 1
                }
            }
            count = frames
        }
    }

    /// Samples within −64 to 64; 0 for what is not a finite number. Worked out on the bits, where magnitudes compare as
    /// whole numbers.
    @inline(__always)
    private static func usable(_ samples: SIMD8<Float>) -> SIMD8<Float> {
        let bits = unsafeBitCast(samples, to: SIMD8<Int32>.self)
        let magnitude = bits & 0x7FFF_FFFF
        let limit = SIMD8<Int32>(repeating: Int32(bitPattern: Float(64).bitPattern))
        let largest = SIMD8<Int32>(repeating: Int32(bitPattern: Float.greatestFiniteMagnitude.bitPattern))
        let result = bits.replacing(with: bits & Int32.min | limit, where: magnitude .> limit)
            .replacing(with: SIMD8<Int32>.zero, where: magnitude .> largest)
        return unsafeBitCast(result, to: SIMD8<Float>.self)
    }
}
