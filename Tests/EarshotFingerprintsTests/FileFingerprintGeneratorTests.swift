import EarshotCore
@testable import EarshotFingerprints
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("Making fingerprints")
struct FileFingerprintGeneratorTests {
    /// Twelve seconds of changing chords, in two channels.
    private static func music(
        sampleRate: Int = 44_100,
        channels: Int = 2,
        seconds: Int = 12
    ) -> [Int16] {
        (0..<sampleRate * seconds).flatMap { frame in
            let time = Double(frame) / Double(sampleRate)
            let root = 110 * pow(2, Double(Int(time * 1.7) % 7) / 7)
            return (0..<channels).map { channel in
                let sum =
                    sin(2 * .pi * root * time) + sin(2 * .pi * root * 1.26 * time + Double(channel))
                    + sin(2 * .pi * root * 1.5 * time)
                return Int16(sum * 8_000)
            }
        }
    }

    @Test("A file gives the fingerprint that fpcalc gives it", arguments: Vector.all)
    func files(_ vector: Vector) async throws {
        let limit = MediaTime(value: Int64(vector.length), timescale: 1)
        let made = try await FileFingerprint(contentsOf: vector.url, algorithm: vector.algorithm, limit: limit)
        #expect(made.values == vector.values)
        #expect(Int(made.duration.seconds) == vector.seconds)
    }

    @Test("A source of blocks gives it too, at its own rate and in floating point")
    func source() async throws {
        let vector = Vector.all[0]
        let reader = try await AssetReader(vector.url)
        let limit = MediaTime(value: Int64(vector.length), timescale: 1)
        let made = try await FileFingerprintGenerator.fingerprint(of: reader, limit: limit)
        #expect(made.values == vector.values)
        #expect(abs(made.duration.seconds - reader.duration.seconds) < 0.001)
    }

    @Test("How audio is cut into buffers makes no difference")
    func cutting() throws {
        for (rate, channels) in [(44_100, 2), (48_000, 1), (11_025, 2), (11_025, 1), (8_000, 2)] {
            let samples = Self.music(sampleRate: rate, channels: channels)
            let whole = try FileFingerprintGenerator()
            try whole.append(AudioBuffer(samples, sampleRate: rate, channelCount: channels))
            let expected = try whole.finish()
            #expect(expected.values.count > 50)
            property("cutting at \(rate) Hz", rounds: 3) { generator in
                let parts = try FileFingerprintGenerator()
                var start = 0
                while start < samples.count {
                    let frames = Int.random(in: 1...Int.random(in: 1...20_000, using: &generator), using: &generator)
                    let end = min(samples.count, start + frames * channels)
                    try parts.append(
                        AudioBuffer(Array(samples[start..<end]), sampleRate: rate, channelCount: channels)
                    )
                    start = end
                }
                return try parts.finish() == expected
            }
        }
    }

    @Test("Nothing behind the limit counts, and the duration is that of all")
    func limit() throws {
        let samples = Self.music(channels: 1)
        let limit = MediaTime(value: 5, timescale: 1)
        let long = try FileFingerprintGenerator(limit: limit)
        try long.append(AudioBuffer(samples, sampleRate: 44_100))
        #expect(long.isComplete)
        let made = try long.finish()
        #expect(made.duration == MediaTime(value: 12, timescale: 1))
        let other = try FileFingerprintGenerator(limit: limit)
        // Six seconds of the same, and then something else.
        try other.append(AudioBuffer(Array(samples[..<(6 * 44_100)]) + samples.reversed(), sampleRate: 44_100))
        #expect(try other.finish().values == made.values)
        let all = try FileFingerprintGenerator(limit: nil)
        try all.append(AudioBuffer(samples, sampleRate: 44_100))
        #expect(!all.isComplete)
        #expect(try all.finish().values.count > made.values.count)
    }

    @Test("Sub-fingerprints come at the intervals that are told", arguments: FileFingerprint.Algorithm.allCases)
    func intervals(_ algorithm: FileFingerprint.Algorithm) throws {
        func count(seconds: Int) throws -> Int {
            let generator = try FileFingerprintGenerator(algorithm: algorithm)
            try generator.append(AudioBuffer(Self.music(channels: 1, seconds: seconds), sampleRate: 44_100))
            return try generator.finish().values.count
        }
        let more = try Double(count(seconds: 32) - count(seconds: 12))
        #expect(abs(more * algorithm.interval.seconds - 20) <= algorithm.interval.seconds)
    }

    @Test("A buffer of another format, and one of none that can be used, is refused")
    func formats() throws {
        let generator = try FileFingerprintGenerator()
        try generator.append(AudioBuffer([Int16](repeating: 0, count: 100), sampleRate: 44_100))
        let other = AudioBuffer([Int16](repeating: 0, count: 100), sampleRate: 48_000)
        let error = #expect(throws: EarshotError.self) { try generator.append(other) }
        #expect(error?.code == .audioFormatInvalid)
        #expect(generator.duration == MediaTime(frames: 100, sampleRate: 44_100))
        let slow = AudioBuffer([Float](repeating: 0, count: 100), sampleRate: 10)
        #expect(throws: EarshotError.self) { try FileFingerprintGenerator().append(slow) }
    }

    @Test("Too little audio gives no fingerprint but an error")
    func short() throws {
        let generator = try FileFingerprintGenerator()
        #expect(throws: EarshotError.self) { try generator.finish() }
        let second = try FileFingerprintGenerator()
        try second.append(AudioBuffer(Self.music(seconds: 1), sampleRate: 44_100, channelCount: 2))
        let error = #expect(throws: EarshotError.self) { try second.finish() }
        #expect(error?.code == .signatureInvalid)
    }

    @Test("A file that is not there, and one that is no media, are named")
    func noFile() async throws {
        await #expect(throws: EarshotError.self) {
            try await FileFingerprint(contentsOf: URL(fileURLWithPath: "/nowhere/at all.ogg"))
        }
        await #expect(throws: EarshotError.self) {
            try await FileFingerprint(contentsOf: Vector.fixture("README.md"))
        }
    }
}
