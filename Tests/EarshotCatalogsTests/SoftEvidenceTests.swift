import EarshotCore
import EarshotSegments
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotCatalogs

/// Recordings that are drowned in noise, found by their spectrograms.
@Suite("Soft evidence")
struct SoftEvidenceTests {
    private static let pieces = (0..<8).map { SyntheticMusic(seed: 900 + UInt64($0), duration: 14) }
    private static let signatures = Result { try pieces.map { try $0.signature() } }

    private func catalog(bits: Bool = true) throws -> Catalog {
        var catalog = Catalog()
        for (number, song) in try Self.signatures.get().enumerated() {
            let kept = Signature(
                configuration: .standard,
                duration: song.duration,
                landmarks: song.landmarks,
                bits: bits ? song.bits : nil
            )
            try catalog.add(kept, representing: [], id: ReferenceID("\(number)"))
        }
        return catalog
    }

    /// A part of a piece with noise over it.
    private func noisy(_ number: Int, from start: Double, seconds: Double, decibels: Double) throws -> Signature {
        let samples = Self.pieces[number].samples(from: start, seconds: seconds)
        return try .of(Degradation.noisy(samples, signalToNoise: decibels, seed: UInt64(number)))
    }

    /// Of queries in noise, how many are answered, and how many rightly.
    private func answers(_ catalog: Catalog, withLevels: Bool, decibels: Double) throws -> (given: Int, right: Int) {
        var (given, right) = (0, 0)
        for number in Self.pieces.indices {
            let start = 1.5 + 0.9 * Double(number)
            let query = try noisy(number, from: start, seconds: 4, decibels: decibels)
            let asked = Signature(
                configuration: .standard,
                duration: query.duration,
                landmarks: query.landmarks,
                levels: withLevels ? query.levels : nil
            )
            guard let best = try catalog.match(asked)?.references.first else { continue }
            given += 1
            if best.id == ReferenceID("\(number)"), abs(best.offset.seconds - start) < 0.1 { right += 1 }
        }
        return (given, right)
    }

    @Test("in noise the spectrogram finds what landmarks alone do not")
    func noise() throws {
        let catalog = try Catalog(data: catalog().data())
        let alone = try answers(catalog, withLevels: false, decibels: -11)
        let soft = try answers(catalog, withLevels: true, decibels: -11)
        #expect(soft.right > alone.right)
        #expect(soft.right >= 6)
        #expect(soft.given == soft.right)
    }

    @Test("a catalog without bits answers by landmarks alone, whatever the query has")
    func older() throws {
        let catalog = try Catalog(data: catalog(bits: false).data())
        for decibels in [20.0, -8] {
            let alone = try answers(catalog, withLevels: false, decibels: decibels)
            let soft = try answers(catalog, withLevels: true, decibels: decibels)
            #expect(alone == soft)
        }
    }

    @Test("what is not in the catalog is not found, clean or in noise", arguments: [60.0, 0])
    func foreign(decibels: Double) throws {
        let catalog = try catalog()
        for seed in 0..<6 {
            let samples = SyntheticMusic(seed: 1_700 + UInt64(seed), duration: 5).samples()
            let query = try Signature.of(Degradation.noisy(samples, signalToNoise: decibels, seed: UInt64(seed)))
            #expect(try catalog.match(query) == nil)
        }
    }

    @Test("a recording that is there twice is found twice")
    func copies() throws {
        var catalog = try catalog()
        try catalog.add(Self.signatures.get()[3], representing: [], id: "copy")
        let query = try noisy(3, from: 4, seconds: 4, decibels: -6)
        let match = try #require(try catalog.match(query))
        #expect(Set(match.references.map(\.id)) == ["3", "copy"])
    }

    @Test("a spectrogram that was written and read answers as the one that was heard")
    func read() throws {
        let catalog = try catalog()
        for (number, decibels) in [(1, -3.0), (4, -9), (6, -11)] {
            let query = try noisy(number, from: 3, seconds: 4, decibels: decibels)
            let read = try Signature(data: query.dataWithSpectrogram)
            #expect(try catalog.match(read)?.references == catalog.match(query)?.references)
        }
    }

    @Test("landmarks that are sure are answered, and for others the spectrogram is asked for")
    func moreEvidence() throws {
        let (catalog, older) = (try catalog(), try catalog(bits: false))
        let clear = try noisy(3, from: 4, seconds: 6, decibels: 30)
        #expect(try catalog.match(clear.withSpectrogramElsewhere())?.references.first?.id == "3")
        let doubtful = try noisy(3, from: 4, seconds: 4, decibels: -11).withSpectrogramElsewhere()
        let failure = #expect(throws: EarshotError.self) { try catalog.match(doubtful) }
        #expect(failure?.code == .moreEvidence)
        // A catalog without bits has no use for it.
        #expect(code { _ = try older.match(doubtful) } == nil)
        // Nor has one in which nothing sounds like it, but only a spectrogram tells that.
        let foreign = try Signature.of(SyntheticMusic(seed: 1_750, duration: 5).samples())
        #expect(code { _ = try catalog.match(foreign.withSpectrogramElsewhere()) } == .moreEvidence)
    }

    @Test("of many places with few votes the map chooses the right one")
    func sifted() throws {
        let catalog = try Catalog(data: catalog().data())
        // As a catalog is searched in which neither pairs nor a scan are affordable.
        var parameters = MatchingParameters()
        (parameters.pairLimit, parameters.secondLookLimit, parameters.escalates) = (0, 0, false)
        (parameters.quickPlaces, parameters.candidateCount) = (1, 2)
        func right(among count: Int) throws -> Int {
            parameters.siftedPlaces = count
            return try Self.pieces.indices.count { number in
                let start = 1.5 + 0.9 * Double(number)
                let query = try noisy(number, from: start, seconds: 4, decibels: -10)
                let best = try catalog.search(query, parameters: parameters).accepted.first
                return best?.id == ReferenceID("\(number)") && abs((best?.offset.seconds ?? 0) - start) < 0.1
            }
        }
        let (few, many) = (try right(among: 0), try right(among: 400))
        #expect(many > few)
        #expect(many >= 5)
    }

    @Test("the map laid on every frame of a reference stands out at the right one alone")
    func scan() throws {
        let catalog = try catalog()
        let targets = try catalog.matchTargets()
        let query = try noisy(5, from: 6.4, seconds: 3, decibels: -6)
        let reader = try #require(ContrastReader(query, targets: targets))
        let places = targets.flatMap { reader.scan().places(in: $0, limit: 8) }
        let best = try #require(places.max { $0.deviations < $1.deviations })
        #expect(best.reference == 5)
        #expect(abs(Double(best.step) / 500 - 6.4) < 0.04)
        let second = places.filter { $0.reference != 5 }.map(\.deviations).max() ?? 0
        #expect(best.deviations > second + 3)
    }

    @Test("bits stand above chance at the right place alone")
    func bits() throws {
        let targets = try catalog().matchTargets()
        let query = try noisy(2, from: 5, seconds: 4, decibels: 0)
        var reader = try #require(DenseBitReader(query, targets: targets))
        func deviations(_ reference: Int, at seconds: Double) -> Double? {
            let alignment = Alignment(offset: seconds * 500, speed: 1, pitch: 0)
            return reader.deviations(of: targets[0].segment, reference, alignment)
        }
        #expect(try #require(deviations(2, at: 5)) > 6)
        #expect(try #require(deviations(2, at: 7)) < 4)
        #expect(try #require(deviations(4, at: 5)) < 4)
        // Too few rows of the reference lie inside the query to say anything.
        #expect(deviations(2, at: 13.6) == nil)
    }

    @Test("references keep their bits through files, merges and reading back")
    func kept() throws {
        let songs = try Self.signatures.get().map { $0.thinned(to: Reference.density) }
        let references = songs.indices.map { Reference(id: ReferenceID("\($0)"), signature: songs[$0], items: []) }
        let limits = QueryLimits.standard
        var sources: [SegmentMerger.Source] = []
        for part in [references[..<3], references[3..<5], references[5...]] {
            let segment = try Segment(MappedBytes(SegmentWriter.image(of: Array(part), limits: limits)), name: "part")
            sources.append(SegmentMerger.Source(target: MaskedSegment(segment: segment, removed: []), name: "part"))
        }
        let merged = try SegmentMerger.image(of: sources, limits: limits)
        #expect(try merged == SegmentWriter.image(of: references, limits: limits))
        let segment = try Segment(MappedBytes(merged), name: "merged")
        for number in references.indices { #expect(segment.reference(number)?.signature == songs[number]) }
        // Minor version 1 says that bits may stand there.
        #expect(merged[10] == 1)
        let plain = references.map { reference in
            let signature = Signature(
                configuration: .standard,
                duration: reference.signature.duration,
                landmarks: reference.signature.landmarks
            )
            return Reference(id: reference.id, signature: signature, items: [])
        }
        #expect(try SegmentWriter.image(of: plain, limits: limits)[10] == 0)
    }
}
