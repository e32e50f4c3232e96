import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Seams of loops")
struct LoopSeamTests {
    private static func seam(_ loop: LoopSamples) -> LoopSeam? {
        LoopSeam(before: loop.samples, after: loop.samples, sampleRate: loop.sampleRate)
    }

    @Test("20 good loops and 20 bad ones are told apart")
    func sets() {
        #expect(LoopSamples.good.count == 20 && LoopSamples.bad.count == 20)
        for (loops, isGood) in [(LoopSamples.good, true), (LoopSamples.bad, false)] {
            for loop in loops {
                #expect(Self.seam(loop)?.isSmooth == isGood, "\(loop.name): \(String(describing: Self.seam(loop)))")
            }
        }
    }

    @Test("What a seam is like does not depend on how loud the loop is, nor on which way up its wave is")
    func scaling() {
        for loop in LoopSamples.good + LoopSamples.bad {
            for scale in [-1, 0.5] as [Float] {
                let samples = loop.samples.map { $0 * scale }
                let seam = LoopSeam(before: samples, after: samples, sampleRate: loop.sampleRate)
                #expect(seam?.isSmooth == Self.seam(loop)?.isSmooth, "\(loop.name) \(scale)")
            }
        }
    }

    @Test("The jumps have the sizes that were made")
    func sizes() throws {
        let steps = try #require(LoopSamples.bad.first { $0.name == "noise that grows by 10 dB" })
        let seam = try #require(Self.seam(steps))
        #expect(abs(seam.levelJump - 9.9) < 1 && !seam.isLevelSmooth && seam.isWaveSmooth)
        let offset = try #require(LoopSamples.bad.first { $0.name == "noise whose middle moves" }.flatMap(Self.seam))
        #expect(abs(offset.waveJump - 0.15) < 0.15 && !offset.isWaveSmooth && offset.isLevelSmooth)
        let half = try #require(LoopSamples.bad.first { $0.name == "sine, from its top to zero" }.flatMap(Self.seam))
        #expect(abs(half.waveJump - 0.4) < 0.05 && !half.isWaveSmooth)
    }

    @Test("Of several channels the worst counts, and too little sound tells nothing")
    func channels() throws {
        let good = try #require(Self.seam(LoopSamples.good[0]))
        let bad = try #require(Self.seam(LoopSamples.bad[0]))
        #expect(LoopSeam([good, bad])?.isSmooth == false && LoopSeam([good, good])?.isSmooth == true)
        #expect(LoopSeam([]) == nil)
        #expect(LoopSeam(before: [0, 1], after: [1, 0], sampleRate: 44_100) == nil)
        let silence = [Float](repeating: 0, count: 2_000)
        #expect(LoopSeam(before: silence, after: silence, sampleRate: 44_100)?.isSmooth == true)
    }

    @Test(
        "Tones are good when the loop is whole periods, and bad when it is not; noise when its level stays, and when it does not"
    )
    func random() {
        property("seams of tones and noise", rounds: 40) { generator in
            let rate = [22_050, 44_100, 48_000].randomElement(using: &generator) ?? 44_100
            let count = rate / 2
            let periods = Double(Int.random(in: 40...1_500, using: &generator))
            let phase = Double.random(in: 0..<6.28, using: &generator)
            let part = Double.random(in: 0.15...0.85, using: &generator)
            func tone(_ periods: Double) -> [Float] {
                (0..<count).map { Float(0.5 * sin(2 * .pi * periods * Double($0) / Double(count) + phase)) }
            }
            let noise = (0..<count).map { _ in Float.random(in: -0.3...0.3, using: &generator) }
            let step = Float([0.25, 0.4, 2.5, 4].randomElement(using: &generator) ?? 4)
            let steps = noise.enumerated().map { $0 < count / 2 ? $1 : $1 * step }
            func isSmooth(_ samples: [Float]) -> Bool? {
                LoopSeam(before: samples, after: samples, sampleRate: rate)?.isSmooth
            }
            // A low tone that only turns at the seam has no click that could be heard: its wave has to jump.
            let jump = abs(sin(phase + 2 * .pi * part) - sin(phase))
            return isSmooth(tone(periods)) == true && (jump < 0.3 || isSmooth(tone(periods + part)) == false)
                && isSmooth(noise) == true && isSmooth(steps) == false
        }
    }

    @Test("No samples end the check")
    func anything() {
        property("seams of anything", rounds: 100) { generator in
            let odd: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, 0, 1, .leastNonzeroMagnitude]
            func any() -> [Float] {
                let isOdd = Bool.random(using: &generator)
                return (0..<Int.random(in: 0...1_500, using: &generator)).map { _ in
                    isOdd
                        ? odd.randomElement(using: &generator) ?? 0 : Float.random(in: -1...1, using: &generator)
                }
            }
            let rate = [0, 1, 8_000, 44_100, 192_000].randomElement(using: &generator) ?? 0
            guard let seam = LoopSeam(before: any(), after: any(), sampleRate: rate) else { return true }
            return seam.levelJump.magnitude <= 80 && !seam.waveJump.isNaN
        }
    }
}
