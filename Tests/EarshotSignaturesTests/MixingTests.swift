import EarshotCore
@testable import EarshotDSP
import TestSupport
import Testing

@testable import EarshotSignatures

@Suite("Mixing channels and resampling, many samples at once")
struct MixingTests {
    /// Samples of every kind: audio, beyond the limits, and no numbers.
    private static let odd: [Float] = [
        .nan, .signalingNaN, .infinity, -.infinity, 64, -64, 65, -1e30, 0, -0.0, .leastNonzeroMagnitude,
        .greatestFiniteMagnitude, Float(64).nextUp, Float(-64).nextDown,
    ]

    private func samples(_ count: Int, _ generator: inout SeededGenerator) -> [Float] {
        (0..<count).map { _ in
            Int.random(in: 0..<4, using: &generator) == 0
                ? Self.odd.randomElement(using: &generator) ?? 0 : Float.random(in: -1...1, using: &generator)
        }
    }

    @Test("One, two and three channels are mixed by one rule, whatever the samples")
    func mixing() {
        property("mixing") { generator in
            let channels = Int.random(in: 1...3, using: &generator)
            let frames = Int.random(in: 0..<40, using: &generator)
            let samples = samples(frames * channels, &generator)
            var input = AnalysisInput()
            let rate = SignatureConfiguration.sampleRate
            let mixed = input.samples(of: AudioBuffer(samples, sampleRate: rate, channelCount: channels))
            let expected = (0..<frames).map { frame in
                var sum: Float = 0
                for sample in samples[frame * channels..<(frame + 1) * channels] {
                    sum += sample.isFinite ? min(max(sample, -64), 64) : 0
                }
                return sum * (1 / Float(channels))
            }
            return mixed.map(\.bitPattern) == expected.map(\.bitPattern)
        }
    }

    @Test("Resampled audio does not depend on how many samples come at once")
    func resampling() {
        property("resampling", rounds: 100) { generator in
            let rates = [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 44_056]
            let rate = rates.randomElement(using: &generator) ?? 44_100
            let count = Int.random(in: 0..<3_000, using: &generator)
            let samples = (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
            var (whole, pieces) = ([Float](), [Float]())
            var first = Resampler(from: rate, to: SignatureConfiguration.sampleRate)
            first.append(samples, to: &whole)
            first.finish(to: &whole)
            var second = Resampler(from: rate, to: SignatureConfiguration.sampleRate)
            var start = 0
            while start < count {
                let end = min(count, start + Int.random(in: 1...70, using: &generator))
                second.append(Array(samples[start..<end]), to: &pieces)
                start = end
            }
            second.finish(to: &pieces)
            return whole.map(\.bitPattern) == pieces.map(\.bitPattern)
        }
    }
}
