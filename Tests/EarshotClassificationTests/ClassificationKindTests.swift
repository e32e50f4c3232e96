import EarshotClassification
import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Kinds of content and transitions")
struct ClassificationKindTests {
    typealias Sound = ClassificationAudio

    static let clips = [
        "fr-agent-alreadyon", "fr-confbridge-dec-talk-vol-out", "fr-dir-instr", "fr-ss-noservice", "fr-vm-newuser",
        "it-agent-alreadyon", "it-confbridge-lock-extended", "it-dir-instr", "it-tt-allbusy", "it-vm-nobox",
    ]

    @Test("Music that begins at 10 s is first heard between 11 and 14 s", .requirements("R-ACR-058"), arguments: 1...5)
    func start(seed: UInt64) {
        let kinds = Sound.kinds(Sound.observe(Sound.silence(10) + Sound.music(seed, 8)))
        #expect(kinds.map(\.time) == (3...17).map(Double.init))
        #expect(kinds.prefix(8).allSatisfy { $0.kind == .silence })
        let first = kinds.first { $0.kind == .music }?.time ?? 0
        #expect((11...14).contains(first))
    }

    @Test("Speech is told first in nine clips of ten", .requirements("R-ACR-059"))
    func speech() throws {
        var right = 0
        for clip in Self.clips {
            var analyzer = StreamAnalyzer()
            let kinds = Sound.kinds(analyzer.append(try Sound.speech(clip, 3.7)))
            if kinds.first(where: { $0.kind != .silence })?.kind == .speech { right += 1 }
        }
        #expect(right >= 9)
    }

    @Test("Music is told first in nine clips of ten", .requirements("R-ACR-059"))
    func music() {
        let right = (11...20).count { seed in
            Sound.kinds(Sound.observe(Sound.music(UInt64(seed), 4))).first?.kind == .music
        }
        #expect(right >= 9)
    }

    @Test("Noise is told first in nine clips of ten", .requirements("R-ACR-059"))
    func noise() {
        let right = (0..<10).count { index in
            let samples = Sound.noise(UInt64(index), 4, smoothness: Float(index) / 10.5)
            return Sound.kinds(Sound.observe(samples)).first?.kind == .noise
        }
        #expect(right >= 9)
    }

    @Test("Probabilities are together 1, and the level does not matter")
    func probabilities() {
        for gain: Float in [1, 0.1] {
            let samples = Sound.music(7, 6).map { $0 * gain }
            for observation in Sound.observe(samples) {
                guard case .classification(let found) = observation.content else { continue }
                #expect(found.probabilities.count == 4)
                #expect(abs(found.probabilities.values.reduce(0, +) - 1) < 1e-9)
                #expect(found.kind == .music)
            }
        }
    }

    @Test("A cut between two clips is one transition above the threshold", .requirements("R-ACR-062"))
    func cut() {
        let sound = Sound.music(5, 12) + Sound.noise(2, 12, smoothness: 0.6)
        let found = Sound.transitions(Sound.observe(sound))
        #expect(found.count == 1)
        #expect(found.allSatisfy { (TransitionDetector.threshold...1).contains($0.score) && abs($0.at - 12) < 0.5 })
    }

    @Test("Sound after silence is a transition, silence and a steady sound are none", .requirements("R-ACR-062"))
    func onset() {
        let sound = Sound.silence(6) + Sound.noise(2, 15, smoothness: 0.6) + Sound.silence(6)
        let found = Sound.transitions(Sound.observe(sound))
        #expect(found.count == 1, "\(found)")
        #expect(found.allSatisfy { $0.score == 1 && abs($0.at - 6) < 0.15 })
    }

    @Test("Transitions are two seconds apart at least")
    func distance() {
        let parts = (0..<12).flatMap { index in
            index % 2 == 0 ? Sound.music(UInt64(index + 1), 1.5) : Sound.noise(3, 1.5, smoothness: 0.3)
        }
        let times = Sound.transitions(Sound.observe(parts)).map(\.at)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 2 })
    }
}
