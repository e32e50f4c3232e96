import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@Suite("Finding music")
struct MatchingTests {
    private func catalog() throws -> Catalog { try Songs.catalog.get() }

    private func best(_ query: Signature) throws -> ReferenceMatch? { try catalog().match(query)?.references.first }

    @Test("A clean cut is found within 10 ms of its place", arguments: [0.5, 7, 12.345, 15])
    func clean(start: Double) throws {
        let query = try Songs.pieces[1].signature(from: start, seconds: 5)
        let found = try #require(try best(query))
        #expect(found.id == "second")
        #expect(abs(found.offset.seconds - start) < 0.010)
        #expect(abs(found.speedSkew) < 0.002)
        #expect(abs(found.pitchSkew) < 0.002)
        #expect(found.referenceDuration == MediaTime(value: 20, timescale: 1))
        #expect(found.queryRange.lowerBound < MediaTime(seconds: 0.6))
        #expect(found.queryRange.upperBound > MediaTime(seconds: 4.4))
        #expect(abs(found.referenceRange.lowerBound.seconds - start - found.queryRange.lowerBound.seconds) < 0.05)
        #expect(found.referenceRange.upperBound <= found.referenceDuration)
    }

    @Test(
        "The same clip at the native rates is found at the same offset",
        .requirements("R-CC-003"),
        arguments: [48_000, 44_100, 32_000, 16_000]
    )
    func nativeRates(rate: Int) throws {
        let found = try #require(try best(Songs.pieces[1].signature(from: 9, seconds: 4, sampleRate: rate)))
        #expect(found.id == "second")
        #expect(abs(found.offset.seconds - 9) < 0.05)
    }

    @Test("Other rates match too", .requirements("R-CC-004"), arguments: [8_000, 22_050, 96_000])
    func otherRates(rate: Int) throws {
        let found = try #require(try best(Songs.pieces[1].signature(from: 9, seconds: 4, sampleRate: rate)))
        #expect(found.id == "second")
        #expect(abs(found.offset.seconds - 9) < 0.05)
    }

    @Test("It is found in noise, and a clean clip scores above a noisy one", .requirements("R-CC-067"))
    func noise() throws {
        let samples = Songs.pieces[2].samples(from: 4, seconds: 6)
        let clean = try #require(try best(.of(samples)))
        var before = clean
        #expect((0...1).contains(clean.confidence))
        for decibels in [10.0, 0, -6] {
            let noisy = try Signature.of(Degradation.noisy(samples, signalToNoise: decibels, seed: 9))
            let found = try #require(try best(noisy))
            #expect(found.id == "third")
            #expect(abs(found.offset.seconds - 4) < 0.05)
            #expect((0...1).contains(found.confidence))
            #expect(found.confidence <= before.confidence)
            #expect(found.score < before.score)
            before = found
        }
        // Near certainty the scale ends; heavy noise is well below it.
        #expect(before.confidence < clean.confidence)
    }

    @Test("It is found through a narrow line")
    func line() throws {
        let samples = Songs.pieces[0].samples(from: 10, seconds: 5)
        let narrow = Degradation.bandLimited(samples, from: 300, to: 3_400, sampleRate: 16_000)
        let found = try #require(try best(.of(narrow)))
        #expect(found.id == "first")
        #expect(abs(found.offset.seconds - 10) < 0.05)
    }

    @Test("It is found when played faster or slower", arguments: [0.97, 1.03, 0.92, 1.08])
    func speed(ratio: Double) throws {
        let query = try Songs.pieces[0].signature(from: 5, seconds: 6, change: .played(ratio))
        let found = try #require(try best(query))
        #expect(found.id == "first")
        #expect(abs(found.offset.seconds - 5) < 0.1)
        #expect(abs(found.speedSkew - (ratio - 1)) < 0.005)
        #expect(abs(found.pitchSkew - (ratio - 1)) < 0.01)
    }

    @Test("Sample by sample resampled audio gives the same answer")
    func resampled() throws {
        let samples = Songs.pieces[0].samples(from: 5, seconds: 6)
        let found = try #require(try best(.of(Degradation.resampled(samples, speed: 1.03))))
        #expect(found.id == "first")
        #expect(abs(found.offset.seconds - 5) < 0.1)
        #expect(abs(found.speedSkew - 0.03) < 0.005)
    }

    @Test(
        "The skew of frequency is reported",
        .requirements("R-CC-066"),
        arguments: [SyntheticMusic.Change.played(1.05), SyntheticMusic.Change(pitch: 1.05)]
    )
    func frequency(change: SyntheticMusic.Change) throws {
        let query = try Songs.pieces[1].signature(from: 6, seconds: 7, change: change)
        let match = try #require(try catalog().match(query))
        let item = try #require(match.mediaItems.first)
        #expect(match.references[0].id == "second")
        #expect(abs(item.frequencySkew - 0.05) < 0.01)
        #expect(abs(match.references[0].speedSkew - (change.speed - 1)) < 0.005)
    }

    @Test("Another tempo at the same height")
    func tempo() throws {
        let query = try Songs.pieces[2].signature(from: 3, seconds: 7, change: .init(speed: 0.96))
        let found = try #require(try best(query))
        #expect(found.id == "third")
        #expect(abs(found.speedSkew + 0.04) < 0.005)
        #expect(abs(found.pitchSkew) < 0.01)
    }

    @Test("A query that begins before the reference has a negative offset", .requirements("R-CC-061"))
    func negative() throws {
        let query = try Songs.pieces[1].signature(from: -2, seconds: 7)
        let item = try #require(try catalog().match(query)?.mediaItems.first)
        #expect(item.title == "second")
        #expect(abs(item.matchOffset.seconds + 2) < 0.1)
        #expect(abs((item[.matchOffset]?.real ?? 0) + 2) < 0.1)
    }

    @Test("A query that runs on behind the end of the reference is found")
    func behind() throws {
        let query = try Songs.pieces[1].signature(from: 15, seconds: 8)
        let found = try #require(try best(query))
        #expect(found.id == "second")
        #expect(abs(found.offset.seconds - 15) < 0.05)
        #expect(found.referenceRange.upperBound <= found.referenceDuration)
    }

    @Test("Foreign music and noise match nothing, which is no error", .requirements("R-CC-054"))
    func foreign() throws {
        let foreign = try SyntheticMusic(seed: 999, duration: 6).signature()
        #expect(try catalog().match(foreign) == nil)
        let noise = try Signature.of(Degradation.noise(count: 80_000, seed: 3).map { $0 * 0.1 })
        #expect(try catalog().match(noise) == nil)
        // A bad format is one.
        var generator = SignatureGenerator()
        let wrong = AudioBuffer([Float](repeating: 0.1, count: 7_999), sampleRate: 7_999)
        #expect(code { try generator.append(wrong) } == .audioFormatInvalid)
    }
}
