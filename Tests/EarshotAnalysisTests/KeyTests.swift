import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import Foundation
import TestSupport
import Testing

@Suite("Musical key")
struct KeyTests {
    private static func key(_ samples: [Float]) throws -> MusicalKey? {
        var analyzer = KeyEstimator()
        try analyzer.append(AudioBuffer(samples, sampleRate: SyntheticAudio.rate))
        return analyzer.result()
    }

    @Test("A cadence in each key", arguments: 0..<12, MusicalKey.Mode.allCases)
    func keys(tonic: Int, mode: MusicalKey.Mode) throws {
        let key = try #require(try Self.key(SyntheticAudio.cadence(tonic: tonic, minor: mode == .minor)))
        #expect(key.tonic == tonic)
        #expect(key.mode == mode)
        #expect(abs(key.tuning) < 5)
        #expect((0...1).contains(key.confidence))
    }

    @Test("The tuning is found, and does not move the key", arguments: [-40.0, -30, -15, 15, 30, 40])
    func tuning(cents: Double) throws {
        for (tonic, minor) in [(0, false), (4, true), (9, true), (10, false)] {
            let key = try #require(try Self.key(SyntheticAudio.cadence(tonic: tonic, minor: minor, cents: cents)))
            #expect(abs(key.tuning - cents) < 5)
            #expect(key.tonic == tonic)
            #expect(key.mode == (minor ? .minor : .major))
        }
    }

    @Test("A quieter piece under noise has the same key")
    func noisy() throws {
        let music = SyntheticAudio.cadence(tonic: 7, minor: false)
        let noise = SyntheticAudio.noise(seconds: 8, level: 0.02)
        let key = try #require(try Self.key(zip(music, noise).map { $0 * 0.1 + $1 * 0.1 }))
        #expect(key.tonic == 7)
        #expect(key.mode == .major)
    }

    @Test("Silence, noise, clicks, one tone, a short piece and nothing at all have no key")
    func nothing() throws {
        #expect(KeyEstimator().result() == nil)
        #expect(try Self.key([Float](repeating: 0, count: 10 * SyntheticAudio.rate)) == nil)
        #expect(
            try Self.key(Array(SyntheticAudio.cadence(tonic: 0, minor: false).prefix(3 * SyntheticAudio.rate))) == nil
        )
        #expect(try Self.key(SyntheticAudio.clicks(tempo: 120, seconds: 20)) == nil)
        let tone = (0..<10 * SyntheticAudio.rate).map { Float(0.3 * sin(2 * .pi * 440 * Double($0) / 44_100)) }
        #expect(try Self.key(tone) == nil)
        for seed in 1...3 as ClosedRange<UInt64> {
            #expect(try Self.key(SyntheticAudio.noise(seconds: 20, seed: seed)) == nil)
            #expect(try Self.key(SyntheticAudio.noise(seconds: 4, level: 0.001, seed: seed)) == nil)
        }
    }

    @Test("Numbers that are none are silence, and how the audio is cut does not matter")
    func cutting() throws {
        var samples = SyntheticAudio.cadence(tonic: 2, minor: true)
        for index in stride(from: 0, to: samples.count, by: 9_973) {
            samples[index] = [.nan, .infinity, -.infinity][index % 3]
        }
        let whole = try #require(try Self.key(samples))
        #expect(whole.tonic == 2)
        #expect(whole.mode == .minor)
        var pieces = KeyEstimator()
        for start in stride(from: 0, to: samples.count, by: 12_345) {
            let piece = samples[start..<min(samples.count, start + 12_345)]
            try pieces.append(
                AudioBuffer(piece.flatMap { [$0, $0] }, sampleRate: SyntheticAudio.rate, channelCount: 2)
            )
        }
        #expect(pieces.result() == whole)
        #expect(pieces.result() == whole)
    }

    @Test("Formats that cannot be used are refused, and steps back")
    func refusals() throws {
        var analyzer = KeyEstimator()
        #expect(throws: EarshotError.self) { try analyzer.append(AudioBuffer([0.1] as [Float], sampleRate: 100)) }
        let buffer = AudioBuffer(SyntheticAudio.noise(seconds: 1), sampleRate: SyntheticAudio.rate)
        try analyzer.append(AudioBlock(buffer, at: MediaTime(value: 5, timescale: 1)))
        let failure = #expect(throws: EarshotError.self) {
            try analyzer.append(AudioBlock(buffer, at: MediaTime(value: 5, timescale: 1)))
        }
        #expect(failure?.code == .audioDiscontinuity)
        #expect(analyzer.duration == MediaTime(value: 1, timescale: 1))
    }

    @Test("A tonic is a pitch class", arguments: [(-1, 11), (12, 0), (25, 1), (7, 7), (-24, 0)])
    func tonics(given: Int, kept: Int) {
        #expect(MusicalKey(tonic: given, mode: .major, confidence: 1).tonic == kept)
    }
}
