import EarshotCore
@testable import EarshotDSP
import Foundation
import TestSupport
import Testing

@Suite("Phase correlation")
struct PrecisionCorrelationTests {
    /// The delay of one block of noise behind another, which is cut from it at a place between samples.
    private static func pair(
        size: Int,
        delay: Double,
        seed: UInt64
    ) -> (block: [Float], reference: [Float]) {
        let source = Degradation.noise(count: size + 256, seed: seed)
        // White noise reaches the edge of the band, where no interpolation is exact: two neighbours are averaged.
        let smooth = zip(source, source.dropFirst()).map { ($0 + $1) / 2 }
        let interpolator = SincInterpolator(step: 1)
        return (
            interpolator.samples(of: smooth, from: 128 - delay, count: size),
            interpolator.samples(of: smooth, from: 128, count: size)
        )
    }

    @Test("the transform agrees with its definition, and its inverse gives the block back")
    func transform() {
        property("complex transform", rounds: 10) { generator in
            let size = 1 << Int.random(in: 3...8, using: &generator)
            let first = (0..<size).map { _ in Float.random(in: -1...1, using: &generator) }
            let second = (0..<size).map { _ in Float.random(in: -1...1, using: &generator) }
            var (real, imaginary) = (first, second)
            var transform = ComplexTransform(size: size)
            transform.transform(&real, &imaginary)
            for bin in [0, 1, size / 3, size - 1] {
                var (re, im) = (0.0, 0.0)
                for index in 0..<size {
                    let angle = -2 * Double.pi * Double(bin * index) / Double(size)
                    re += Double(first[index]) * cos(angle) - Double(second[index]) * sin(angle)
                    im += Double(first[index]) * sin(angle) + Double(second[index]) * cos(angle)
                }
                guard abs(re - Double(real[bin])) < 1e-3, abs(im - Double(imaginary[bin])) < 1e-3 else { return false }
            }
            transform.transform(&imaginary, &real)
            return (0..<size).allSatisfy {
                abs(real[$0] / Float(size) - first[$0]) < 1e-5 && abs(imaginary[$0] / Float(size) - second[$0]) < 1e-5
            }
        }
    }

    @Test("any delay is found, whole or not, with its polarity: to a twentieth of a sample where it is short")
    func delays() {
        property("delays", rounds: 25) { generator in
            // Longer delays leave less in common under the two windows.
            let longest = Bool.random(using: &generator) ? 100.0 : 5
            let delay = Double.random(in: -longest...longest, using: &generator)
            let isInverted = Bool.random(using: &generator)
            let pair = Self.pair(size: 2048, delay: delay, seed: generator.next())
            var correlation = PhaseCorrelation(blockSize: 2048)
            let block = isInverted ? pair.block.map { -$0 } : pair.block
            guard let peak = correlation.peak(of: block, against: pair.reference, maximumDelay: 120) else {
                return false
            }
            return abs(peak.delay - delay) < (longest > 5 ? 0.2 : 0.05) && peak.isInverted == isInverted
                && peak.clarity > 8
                && (0...1).contains(peak.height)
        }
    }

    @Test("a delay is found at any level, and in noise as loud as the audio to a tenth of a sample")
    func noise() {
        property("delays in noise", rounds: 15) { generator in
            let delay = Double.random(in: -100...100, using: &generator)
            let gain = exp2(Float.random(in: -12...0, using: &generator))
            let pair = Self.pair(size: 8192, delay: delay, seed: generator.next())
            var correlation = PhaseCorrelation(blockSize: 8192)
            let noisy = Degradation.noisy(pair.block, signalToNoise: 0, seed: generator.next()).map { $0 * gain }
            guard let peak = correlation.peak(of: noisy, against: pair.reference, maximumDelay: 120) else {
                return false
            }
            return abs(peak.delay - delay) < 0.1 && peak.clarity > 8 && !peak.isInverted
        }
    }

    @Test("unrelated noise has no clear peak, and a block without sound none at all")
    func nothing() {
        var correlation = PhaseCorrelation(blockSize: 4096)
        property("unrelated noise", rounds: 20) { generator in
            let first = Degradation.noise(count: 4096, seed: generator.next())
            let second = Degradation.noise(count: 4096, seed: generator.next())
            guard let peak = correlation.peak(of: first, against: second, maximumDelay: 800) else { return false }
            return peak.clarity < 7
        }
        let noise = Degradation.noise(count: 4096, seed: 1)
        let silence = [Float](repeating: 0, count: 4096)
        #expect(correlation.peak(of: noise, against: silence, maximumDelay: 100) == nil)
        #expect(correlation.peak(of: [], against: noise, maximumDelay: 100) == nil)
        #expect(correlation.peak(of: [.nan] + noise, against: noise, maximumDelay: 100) == nil)
        #expect(correlation.peak(of: [.infinity] + noise, against: noise, maximumDelay: 100) == nil)
    }

    @Test("block sizes become powers of two within their bounds")
    func sizes() {
        #expect(PhaseCorrelation(blockSize: 0).blockSize == 256)
        #expect(PhaseCorrelation(blockSize: 1000).blockSize == 1024)
        #expect(PhaseCorrelation(blockSize: 1024).blockSize == 1024)
    }

    @Test("a line is found among wrong points, and none among points of chance")
    func lines() {
        property("lines", rounds: 40) { generator in
            let slope = Double.random(in: -1e-4...1e-4, using: &generator)
            let start = Double.random(in: -0.02...0.02, using: &generator)
            let points = (0..<30).map { index in
                let time = Double(index) * 4
                let isRight = index % 3 != 0
                let right = start + slope * time + .random(in: -2e-5...2e-5, using: &generator)
                return FittedLine.Point(
                    time: time,
                    value: isRight ? right : .random(in: -0.05...0.05, using: &generator)
                )
            }
            let chance = points.map { point in
                FittedLine.Point(time: point.time, value: .random(in: -0.05...0.05, using: &generator))
            }
            guard let line = FittedLine.fit(points, tolerance: 0.000_5, maximumSlope: 0.000_5, reach: 0.05) else {
                return false
            }
            let wrong = FittedLine.fit(chance, tolerance: 0.000_5, maximumSlope: 0.000_5, reach: 0.05)
            return abs(line.place(60) - start - slope * 60) < 2e-5 && abs(line.slope - slope) < 1e-6
                && line.chance < 1e-6 && (wrong?.chance ?? 1) > 1e-4
        }
    }

    @Test("frames come out on the reference's timeline, however the recording was cut into buffers")
    func frames() {
        property("frames of a recording", rounds: 20) { generator in
            let rate = 8_000
            let offset = Double.random(in: -0.5...0.5, using: &generator)
            let speed = 1 + Double.random(in: -3e-3...3e-3, using: &generator)
            let frequency = 300.0
            // What the reference has at a time, as the recording has it.
            let samples = (0..<rate * 2).map { index in
                Float(sin(2 * .pi * frequency * (offset + speed * Double(index) / Double(rate))))
            }
            let line = ReferenceAlignment(seconds: offset, speed: speed)
            var aligner = FrameAligner(line, sampleRate: rate, channelCount: 2)
            var output: [Float] = []
            var place = 0
            while place < samples.count {
                let count = min(Int.random(in: 1...5_000, using: &generator), samples.count - place)
                let frames = samples[place..<place + count].flatMap { [$0, -$0] }
                aligner.append(.init(frames, sampleRate: rate, channelCount: 2), at: place) { output += $0 }
                place += count
            }
            aligner.finish { output += $0 }
            let begin = max(0, Int(offset * Double(rate)) + 40)
            let end = output.count / 2 - 40
            guard abs(Double(output.count / 2) - (offset + speed * 2) * Double(rate)) < 2 else { return false }
            return (begin..<end).allSatisfy { frame in
                let expected = Float(sin(2 * .pi * frequency * Double(frame) / Double(rate)))
                return abs(output[2 * frame] - expected) < 2e-3 && abs(output[2 * frame + 1] + expected) < 2e-3
            }
        }
    }
}
