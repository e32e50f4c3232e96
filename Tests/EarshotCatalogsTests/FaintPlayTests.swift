import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

/// Music that is too quiet to leave landmarks of its own, and music beneath other music.
@Suite("Music under something louder")
struct FaintPlayTests {
    private static let pieces = (0..<6).map { SyntheticMusic(seed: 700 + UInt64($0), duration: 40) }
    private static let catalog = Result {
        var catalog = Catalog()
        for (number, piece) in pieces.enumerated() {
            try catalog.add(try piece.signature(), representing: [], id: ReferenceID("\(number)"))
        }
        return try Catalog(data: catalog.data())
    }

    /// Noise, and from 15 s on 30 s of a piece so much below it.
    private static func recording(seconds: Int, decibels: Double, pieces number: Int) -> [Float] {
        let noise = Degradation.noise(count: seconds * 16_000, seed: 7)
        let music = pieces[number].samples(from: 5, seconds: 30)
        let power = music.reduce(0) { $0 + Double($1 * $1) } / Double(music.count)
        let noisePower = noise.reduce(0) { $0 + Double($1 * $1) } / Double(noise.count)
        let gain = Float((power / noisePower).squareRoot() * pow(10, decibels / 20))
        var samples = noise.map { $0 * gain }
        for index in music.indices { samples[15 * 16_000 + index] += music[index] }
        return samples
    }

    @Test("a bed is found by its spectrogram, from when to when", arguments: [50, 130])
    func bed(seconds: Int) throws {
        let samples = Self.recording(seconds: seconds, decibels: 15, pieces: 2)
        var generator = SignatureGenerator(spectrogram: .all)
        try generator.append(AudioBuffer(samples, sampleRate: 16_000))
        let recording = generator.signature()
        let catalog = try Self.catalog.get()
        let alone = Signature(
            configuration: .standard,
            duration: recording.duration,
            landmarks: recording.landmarks
        )
        #expect(try catalog.plays(in: alone).isEmpty)
        let plays = try catalog.plays(in: recording)
        let play = try #require(plays.first)
        #expect(plays.count == 1)
        #expect(play.id == "2")
        #expect(abs(play.offset.seconds + 10) < 0.05)
        #expect(abs(play.queryRange.lowerBound.seconds - 15) < 2)
        #expect(abs(play.queryRange.upperBound.seconds - 45) < 2)
    }

    @Test("noise alone has no bed", arguments: 1...3 as ClosedRange<UInt64>)
    func noise(seed: UInt64) throws {
        let samples = Degradation.noise(count: 60 * 16_000, seed: seed)
        var generator = SignatureGenerator(spectrogram: .all)
        try generator.append(AudioBuffer(samples, sampleRate: 16_000))
        #expect(try Self.catalog.get().plays(in: generator.signature()).isEmpty)
    }

    @Test("a thorough search finds both of two songs, the second faster", arguments: [1, 1.04])
    func twoAtOnce(speed: Double) throws {
        let first = Self.pieces[0].samples(from: 4, seconds: 10)
        let second = Self.pieces[1].samples(from: 8, seconds: 10, change: .played(speed))
        let query = try Signature.of(zip(first, second).map { $0 + $1 })
        let catalog = try Self.catalog.get()
        let match = try #require(try catalog.match(query, isThorough: true))
        #expect(Set(match.references.map(\.id)) == ["0", "1"])
        let fast = try #require(match.references.first { $0.id == "1" })
        #expect(abs(fast.speedSkew - (speed - 1)) < 0.005)
        #expect(match.references.map(\.score) == match.references.map(\.score).sorted(by: >))
    }

    @Test("a thorough search finds nothing beneath a single song")
    func oneAlone() throws {
        let query = try Self.pieces[3].signature(from: 4, seconds: 10)
        let match = try #require(try Self.catalog.get().match(query, isThorough: true))
        #expect(match.references.map(\.id) == ["3"])
    }
}
