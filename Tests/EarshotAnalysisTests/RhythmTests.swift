@testable import EarshotAnalysis
import EarshotCore
import TestSupport
import Testing

@testable import EarshotLibrary

@Suite("Tempo and beats")
struct RhythmTests {
    private static func rhythm(_ samples: [Float], rate: Int = SyntheticAudio.rate) throws -> Rhythm {
        var analyzer = RhythmTracker()
        try analyzer.append(AudioBuffer(samples, sampleRate: rate))
        return analyzer.result()
    }

    @Test("Clicks have their tempo within 1 %", arguments: [72.0, 80, 90, 100, 112.5, 120, 128, 140, 150, 160])
    func tempo(tempo: Double) throws {
        let found = try #require(try Self.rhythm(SyntheticAudio.clicks(tempo: tempo, seconds: 20)).tempo)
        #expect(abs(found.beatsPerMinute / tempo - 1) < 0.01)
        #expect(found.confidence > 0.3)
        let other = try #require(found.alternative)
        #expect(abs(other / tempo - 1) > 0.04)
    }

    @Test("At the edges the tempo or a half or a double of it is found", arguments: [45.0, 52, 60, 66, 180, 195, 210])
    func edges(tempo: Double) throws {
        let found = try #require(try Self.rhythm(SyntheticAudio.clicks(tempo: tempo, seconds: 30)).tempo)
        let levels = [found.beatsPerMinute, found.alternative ?? 0].flatMap { [$0, $0 * 2, $0 / 2] }
        #expect(levels.contains { abs($0 / tempo - 1) < 0.04 })
    }

    @Test("Beats are within 20 ms of the clicks, and none is missing", arguments: [90.0, 120, 150])
    func beats(tempo: Double) throws {
        let beats = try Self.rhythm(SyntheticAudio.clicks(tempo: tempo, seconds: 20)).beats
        let expected = Array(stride(from: 0.25, to: 20, by: 60 / tempo))
        for time in expected.dropLast() {
            #expect(beats.contains { abs($0.seconds - time) < 0.02 }, "no beat at \(time) s")
        }
        #expect(abs(beats.count - expected.count) <= 1)
        #expect(beats == beats.sorted())
    }

    @Test("Beats follow a tempo that wanders by 3 %")
    func wandering() throws {
        var times: [Double] = []
        var time = 0.5
        while time < 29 {
            times.append(time)
            time += 0.5 * (1 + 0.03 * (time < 15 ? 1 : -1))
        }
        var samples = [Float](repeating: 0, count: 30 * SyntheticAudio.rate)
        let click = SyntheticAudio.clicks(tempo: 60, seconds: 0.5, begin: 0)
        for time in times {
            let start = Int(time * Double(SyntheticAudio.rate))
            for (index, sample) in click.prefix(1000).enumerated() { samples[start + index] = sample }
        }
        let rhythm = try Self.rhythm(samples)
        let hits = times.count { time in rhythm.beats.contains { abs($0.seconds - time) < 0.03 } }
        #expect(hits >= times.count * 9 / 10)
    }

    @Test("The rate, the channels and the cutting do not matter", arguments: [8_000, 16_000, 22_050, 48_000, 96_000])
    func formats(rate: Int) throws {
        let samples = SyntheticAudio.clicks(tempo: 120, seconds: 12, rate: rate)
        let whole = try Self.rhythm(samples, rate: rate)
        let found = try #require(whole.tempo)
        #expect(abs(found.beatsPerMinute - 120) < 1)

        var pieces = RhythmTracker()
        for start in stride(from: 0, to: samples.count, by: 7_001) {
            let piece = samples[start..<min(samples.count, start + 7_001)]
            try pieces.append(AudioBuffer(piece.flatMap { [$0, $0] }, sampleRate: rate, channelCount: 2))
        }
        #expect(pieces.result() == whole)
        // A result does not end the analysis, and comes again.
        #expect(pieces.result() == whole)
    }

    @Test("Silence, noise, a short piece and nothing at all have no tempo")
    func nothing() throws {
        let none = Rhythm(tempo: nil, beats: [])
        #expect(RhythmTracker().result() == none)
        #expect(try Self.rhythm([Float](repeating: 0, count: 20 * SyntheticAudio.rate)) == none)
        #expect(try Self.rhythm(SyntheticAudio.clicks(tempo: 120, seconds: 5.9)) == none)
        for seed in 1...3 as ClosedRange<UInt64> {
            #expect(try Self.rhythm(SyntheticAudio.noise(seconds: 20, seed: seed)) == none)
            #expect(try Self.rhythm(SyntheticAudio.noise(seconds: 6, level: 0.001, seed: seed)) == none)
        }
    }

    @Test("Numbers that are none are silence")
    func notNumbers() throws {
        var samples = SyntheticAudio.clicks(tempo: 120, seconds: 20)
        for index in stride(from: 0, to: samples.count, by: 997) {
            samples[index] = [.nan, .infinity, -.infinity][index % 3]
        }
        let found = try #require(try Self.rhythm(samples).tempo)
        #expect(abs(found.beatsPerMinute - 120) < 1)
        let none = try Self.rhythm([Float](repeating: .nan, count: 10 * SyntheticAudio.rate))
        #expect(none.tempo == nil)
    }

    @Test(
        "A tempo between two steps of the search comes out as itself",
        arguments: [77.7, 99.9, 117.3, 119, 119.7, 119.9, 120, 120.1, 120.3, 121, 133.3, 150.7, 174.6]
    )
    func exactTempo(tempo: Double) throws {
        let samples = SyntheticAudio.clicks(tempo: tempo, seconds: 40, rate: 16_000)
        var envelope = OnsetEnvelope()
        envelope.append(samples)
        envelope.finish()
        let evened = OnsetEnvelope.evened(envelope.values)
        let estimator = try #require(
            TempoEstimator(envelope: evened, lows: OnsetEnvelope.evened(envelope.lows))
        )
        let candidates = estimator.candidates().map(\.beatsPerMinute)
        let nearest = try #require(candidates.min { abs($0 - tempo) < abs($1 - tempo) })
        #expect(abs(nearest / tempo - 1) < 0.0006, "\(nearest)")
    }

    @Test("Beats stand on the timeline of the blocks, and a gap is silence")
    func blocks() throws {
        let samples = SyntheticAudio.clicks(tempo: 120, seconds: 20)
        let half = 10 * SyntheticAudio.rate
        var analyzer = RhythmTracker()
        let first = AudioBuffer(Array(samples[..<half]), sampleRate: SyntheticAudio.rate)
        let second = AudioBuffer(Array(samples[half...]), sampleRate: SyntheticAudio.rate)
        try analyzer.append(AudioBlock(first, at: MediaTime(value: 100, timescale: 1)))
        try analyzer.append(AudioBlock(second, at: MediaTime(value: 112, timescale: 1)))
        #expect(analyzer.duration == MediaTime(value: 22, timescale: 1))
        let beats = analyzer.result().beats
        #expect(beats.contains { abs($0.seconds - 100.75) < 0.02 })
        #expect(beats.contains { abs($0.seconds - 115.75) < 0.02 })

        let before = analyzer.result()
        let failure = #expect(throws: EarshotError.self) {
            try analyzer.append(AudioBlock(first, at: MediaTime(value: 101, timescale: 1)))
        }
        #expect(failure?.code == .audioDiscontinuity)
        #expect(throws: EarshotError.self) {
            try analyzer.append(AudioBlock(first, at: MediaTime(value: 1_000, timescale: 1)))
        }
        #expect(throws: EarshotError.self) { try analyzer.append(AudioBlock(first, at: .invalid)) }
        #expect(analyzer.result() == before)
    }

    @Test("Formats that cannot be used are refused", arguments: [0, 7_999, 192_001, .max])
    func refusals(rate: Int) {
        var analyzer = RhythmTracker()
        let failure = #expect(throws: EarshotError.self) {
            try analyzer.append(AudioBuffer([0.1, 0.2] as [Float], sampleRate: rate))
        }
        #expect(failure?.code == .audioFormatInvalid)
        #expect(analyzer.duration == .zero)
    }
}
