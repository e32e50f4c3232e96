import EarshotClassification
import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Level and silence of a stream")
struct ClassificationLevelTests {
    typealias Sound = ClassificationAudio

    @Test(
        "A full-scale sine is at -3.01 dBFS",
        .requirements("R-ACR-061"),
        arguments: [8_000, 11_025, 44_100, 192_000]
    )
    func sine(rate: Int) {
        let levels = Sound.levels(Sound.observe(Sound.sine(5, rate: rate), rate: rate))
        #expect(levels.count == 5)
        #expect(levels.allSatisfy { abs($0 + 3.01) < 0.1 })
    }

    @Test("A full-scale square is at 0 dBFS, zeros at -120, in every sample type", .requirements("R-ACR-061"))
    func square() {
        let square = (0..<16_000).map { Float($0 / 20 % 2 == 0 ? 1 : -1) }
        #expect(Sound.levels(Sound.observe(square)) == [0])
        #expect(Sound.levels(Sound.observe(Sound.silence(2))) == [-120, -120])
        var analyzer = StreamAnalyzer()
        let stereo = AudioBuffer(
            (0..<16_000).map { Int16($0 / 2 % 2 == 0 ? -32_768 : 0) },
            sampleRate: 8_000,
            channelCount: 2
        )
        #expect(Sound.levels(analyzer.append(stereo)).allSatisfy { abs($0 + 3.01) < 0.01 })
    }

    @Test("Silence is reported on entry, once a second after it, and its end too", .requirements("R-ACR-055"))
    func silence() {
        let observations = Sound.observe(Sound.sine(2) + Sound.silence(5) + Sound.sine(2))
        var silent: [(Double, Double, Bool)] = []
        var audible: [Double] = []
        for observation in observations {
            switch observation.content {
            case .silent(let level, let isEntry): silent.append((observation.time.seconds, level, isEntry))
            case .audible(let level):
                audible.append(observation.time.seconds)
                #expect(abs(level + 3.01) < 0.2)
            default: break
            }
        }
        #expect(silent.map(\.2) == [true, false, false, false, false])
        #expect(silent.map(\.0) == [3, 4, 5, 6, 7])
        #expect(silent.allSatisfy { $0.1 == -120 })
        #expect(audible.count == 1 && abs((audible.first ?? 0) - 7.03) < 0.001)
    }

    @Test("The silence ratio is 1 for zeros, 0 for a tone, a half for half", .requirements("R-ACR-056", "R-ACR-057"))
    func ratio() {
        #expect(Sound.ratios(Sound.observe(Sound.silence(15))) == [1])
        #expect(Sound.ratios(Sound.observe(Sound.sine(15))) == [0])
        let half = (0..<12).flatMap { _ in Sound.sine(1) + Sound.silence(1) }
        let ratios = Sound.ratios(Sound.observe(half))
        #expect(!ratios.isEmpty)
        #expect(ratios.allSatisfy { abs($0 - 0.5) <= 0.05 })
    }

    @Test("How a stream is cut, and its rate, cannot be seen", arguments: [(11_025, 1), (48_000, 2)])
    func cutting(rate: Int, channels: Int) {
        let sound = Sound.music(3, 5) + Sound.silence(2) + Sound.noise(1, 4, smoothness: 0.5)
        let samples = (0..<sound.count * rate / Sound.rate * channels).map { index in
            sound[min(sound.count - 1, index / channels * Sound.rate / rate)]
        }
        var whole = StreamAnalyzer()
        let expected = whole.append(AudioBuffer(samples, sampleRate: rate, channelCount: channels))
        #expect(expected.count > 15)
        property("cutting", rounds: 4) { generator in
            var analyzer = StreamAnalyzer()
            var observations: [AudioObservation] = []
            var place = 0
            while place < samples.count {
                let count = min(samples.count - place, Int.random(in: 1...20_000, using: &generator) * channels)
                let part = Array(samples[place..<place + count])
                observations += analyzer.append(AudioBuffer(part, sampleRate: rate, channelCount: channels))
                place += count
            }
            return observations == expected && analyzer.time == whole.time
        }
    }

    @Test("Behind a gap time has gone on and windows begin anew")
    func gap() {
        var analyzer = StreamAnalyzer()
        _ = analyzer.append(AudioBuffer(Sound.music(1, 4), sampleRate: Sound.rate))
        analyzer.skip(MediaTime(value: 6, timescale: 1))
        #expect(analyzer.time.seconds == 10)
        let observations = analyzer.append(AudioBuffer(Sound.music(2, 5), sampleRate: Sound.rate))
        #expect(Sound.kinds(observations).map(\.time) == [13, 14])
        #expect(Sound.levels(observations).count == 5)
        #expect(observations.allSatisfy { $0.time.seconds > 10 })
    }

    @Test("Audio that is no audio does no harm")
    func damaged() {
        var analyzer = StreamAnalyzer()
        let samples: [Float] = (0..<64_000).map { [.nan, .infinity, -.infinity, 1e30, -1e30][$0 % 5] }
        let observations = analyzer.append(AudioBuffer(samples, sampleRate: Sound.rate))
        #expect(Sound.levels(observations) == [0, 0, 0, 0])
        for (_, _, confidence) in Sound.kinds(observations) { #expect((0...1).contains(confidence)) }
        #expect(analyzer.append(AudioBuffer([Float](repeating: 0, count: 700), sampleRate: 700)).isEmpty)
        #expect(analyzer.time.seconds == 5)
    }
}
