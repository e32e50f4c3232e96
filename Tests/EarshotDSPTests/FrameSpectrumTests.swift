@testable import EarshotDSP
import Foundation
import TestSupport
import Testing

@Suite("The Fourier transform of eight frames at once")
struct FrameSpectrumTests {
    private static let size = FrequencyAxis.frameSize
    private static let window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size))) }

    /// The powers of eight frames that lie one behind the other.
    private func powers(_ frames: [[Float]], on kind: ProcessorKind = .best) -> [FourierPlan.Lanes] {
        var spectrum = FrameSpectrum(size: Self.size, hop: Self.size, bins: 1..<Self.size / 2, on: kind)
        var powers = [FourierPlan.Lanes](repeating: .zero, count: Self.size / 2 - 1)
        let samples = Array(frames.joined())
        powers.withUnsafeMutableBufferPointer { powers in
            samples.withUnsafeBufferPointer { samples in
                guard let first = samples.baseAddress else { return }
                spectrum.transform(first, into: powers)
            }
        }
        return powers
    }

    /// The definition of the transform, in double precision.
    private func power(of samples: [Float], bin: Int) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = -2 * Double.pi * Double(index * bin % samples.count) / Double(samples.count)
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return real * real + imaginary * imaginary
    }

    @Test("Powers are those of the definition, in every lane")
    func definition() {
        property("definition", rounds: 4) { generator in
            let frames = (0..<8).map { _ in
                Degradation.noise(count: Self.size, seed: generator.next())
            }
            let found = powers(frames)
            // The mean power of a bin is the energy of the frame, about 1,400; single precision loses some of it.
            return (0..<12).allSatisfy { _ in
                let bin = Int.random(in: 1...1_023, using: &generator)
                let lane = Int.random(in: 0..<8, using: &generator)
                let frame = zip(frames[lane], Self.window).map { $0 * $1 }
                return abs(Double(found[bin - 1][lane]) - power(of: frame, bin: bin)) < 0.05
            }
        }
    }

    @Test("A lane does not see its neighbours")
    func lanes() {
        let frames = (0..<8).map { Degradation.noise(count: Self.size, seed: UInt64($0)) }
        let alone = powers((0..<8).map { $0 == 3 ? frames[3] : [Float](repeating: 0, count: Self.size) })
        let together = powers(frames)
        #expect(alone.map { $0[3] } == together.map { $0[3] })
        #expect(alone.allSatisfy { $0[2] == 0 })
    }

    @Test("A wave that fits the frame is in its bin and the two beside it", arguments: [2, 37, 511, 512, 1_021])
    func singleBin(bin: Int) {
        let wave = (0..<Self.size).map { index in
            Float(cos(2 * Double.pi * Double(bin * index % Self.size) / Double(Self.size)))
        }
        let found = powers([[Float]](repeating: wave, count: 8)).map { $0[5] }
        // Half of it under the window, and a quarter to either side.
        #expect(abs(found[bin - 1].squareRoot() - 512) < 0.01)
        #expect(abs(found[bin].squareRoot() - 256) < 0.01)
        #expect(found.enumerated().allSatisfy { abs($0.offset - bin + 1) <= 1 || $0.element < 0.01 })
    }

    @Test(
        "frames of a stream have the powers of the definition, whatever the size and the hop",
        arguments: [(64, 32), (128, 20), (256, 256), (512, 160), (1_024, 96)]
    )
    func frames(size: Int, hop: Int) {
        let samples = Degradation.noise(count: size + 10 * hop + hop / 2, seed: UInt64(size))
        var spectrum = ShortTimeSpectrum(size: size, hop: hop, bins: 1..<size / 2)
        var found: [[Float]] = []
        // In pieces, which must not matter.
        for start in stride(from: 0, to: samples.count, by: 77) {
            spectrum.append(Array(samples[start..<min(start + 77, samples.count)])) { found.append(Array($0)) }
        }
        spectrum.finish { found.append(Array($0)) }
        #expect(found.count == 11)
        for (index, powers) in found.enumerated() {
            let frame = (0..<size).map { place in
                let window = 0.5 - 0.5 * cos(2 * .pi * (Double(place) + 0.5) / Double(size))
                return samples[index * hop + place] * Float(window)
            }
            for bin in [1, 2, size / 4, size / 2 - 1] {
                #expect(abs(Double(powers[bin - 1]) - power(of: frame, bin: bin)) < 0.01)
            }
        }
    }

    @Test("every kind of processor gives the same bits", arguments: [(64, 32), (128, 20), (512, 160), (2_048, 256)])
    func processors(size: Int, hop: Int) {
        let samples = Degradation.noise(count: size + 7 * hop, seed: UInt64(hop))
        let all = ProcessorKind.available.map { kind in
            var spectrum = FrameSpectrum(size: size, hop: hop, bins: 1..<size / 2, on: kind)
            var powers = [FourierPlan.Lanes](repeating: .zero, count: size / 2 - 1)
            powers.withUnsafeMutableBufferPointer { powers in
                samples.withUnsafeBufferPointer { samples in
                    guard let first = samples.baseAddress else { return }
                    spectrum.transform(first, into: powers)
                }
            }
            return powers
        }
        #expect(all.allSatisfy { $0 == all[0] })
        #expect(all[0].contains { $0 != .zero })
    }
}
