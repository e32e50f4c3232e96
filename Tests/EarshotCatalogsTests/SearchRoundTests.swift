import EarshotCore
import EarshotSegments
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotCatalogs

/// A catalog whose segments are searched as a whole, and by leaves that have some of them each.
@Suite("Searching in rounds")
struct SearchRoundTests {
    private func targets(_ songs: [Signature], perSegment: Int = 1) throws -> [MaskedSegment] {
        try stride(from: 0, to: songs.count, by: perSegment).map { first in
            let references = (first..<min(first + perSegment, songs.count)).map { number in
                Reference(
                    id: ReferenceID("\(number)"),
                    signature: songs[number].thinned(to: Reference.density),
                    items: [.init()]
                )
            }
            let image = try SegmentWriter.image(of: references, limits: .standard)
            return MaskedSegment(segment: try Segment(MappedBytes(image), name: "part"), removed: [])
        }
    }

    private func catalog(_ targets: [MaskedSegment]) -> Catalog {
        Catalog(targets: targets, queryLimits: .standard, name: "test")
    }

    /// Some of the landmarks, as noise leaves them.
    private func thinned(_ signature: Signature, keeping share: Double, _ generator: inout SeededGenerator) -> Signature
    {
        Signature(
            configuration: .standard,
            duration: signature.duration,
            landmarks: signature.landmarks.filter { _ in Double.random(in: 0..<1, using: &generator) < share }
        )
    }

    /// How a catalog of a few songs is searched as one of each size is.
    private static let sizes: [MatchingParameters] = {
        var large = MatchingParameters()
        (large.pairLimit, large.secondLookLimit) = (0, 0)
        var middle = MatchingParameters()
        middle.pairLimit = 0
        return [MatchingParameters(), middle, large]
    }()

    private func isAnsweredAlike(_ one: [ReferenceMatch], _ several: [ReferenceMatch]) -> Bool {
        one.allSatisfy { reference in
            several.contains {
                $0.id == reference.id && abs($0.offset.seconds - reference.offset.seconds) < 0.05
                    && abs($0.score - reference.score) <= 0.5
            }
        }
    }

    @Test("one leaf that has all segments answers in one round, as the search of one machine")
    func one() throws {
        property("one leaf", rounds: 2) { generator in
            let songs = (0..<6).map { _ in Songs.drawn(generator.next()) }
            let targets = try targets(songs, perSegment: 2)
            for parameters in Self.sizes {
                let part = Songs.part(of: songs[3], from: 2, seconds: 5)
                for query in [part, Warp.played(1.04).applied(to: part), Songs.drawn(generator.next(), seconds: 5)] {
                    let expected = try catalog(targets).search(query, parameters: parameters)
                    let run = try Leaves(targets, parts: 1, &generator).search(query, parameters)
                    guard run.search.candidates == expected.candidates, run.search.references == expected.accepted,
                        run.kinds == [.quick], run.search.isComplete
                    else { return false }
                }
            }
            return true
        }
    }

    @Test("leaves answer what one machine answers", arguments: [2, 3, 4, 8], [0, 1, 2])
    func split(parts: Int, size: Int) throws {
        let parameters = Self.sizes[size]
        property("\(parts) leaves, size \(size)", rounds: 1) { generator in
            let chorus = Songs.drawn(generator.next(), seconds: 6)
            let songs = (0..<8).map { number in
                let song = Songs.drawn(generator.next(), seconds: 8)
                return number % 3 == 1 ? Songs.joined([song, chorus, song]) : song
            }
            let targets = try targets(songs)
            let leaves = try Leaves(targets, parts: parts, &generator)
            let part = Songs.part(of: songs[6], from: 1.5, seconds: 4)
            var queries = [part, Songs.part(of: chorus, from: 0.5, seconds: 4)]
            for share in [0.6, 0.3] { queries.append(thinned(part, keeping: share, &generator)) }
            let speed = Bool.random(using: &generator) ? 0.94 : 1.05
            queries.append(Warp.played(speed).applied(to: part))
            let foreign = (0..<2).map { _ in Songs.drawn(generator.next(), seconds: 4) }
            for query in queries {
                let one = try catalog(targets).search(query, parameters: parameters)
                let run = try leaves.search(query, parameters)
                guard isAnsweredAlike(one.accepted, run.search.references), run.search.isComplete,
                    run.search.segments == Array(targets.indices), run.kinds.count <= 3
                else {
                    print(one.accepted.map { ($0.id, $0.offset.seconds, $0.score) })
                    print(run.search.references.map { ($0.id, $0.offset.seconds, $0.score) })
                    return false
                }
            }
            let answered = try (
                one: foreign.count { try !catalog(targets).search($0, parameters: parameters).accepted.isEmpty },
                several: foreign.count { try !leaves.search($0, parameters).search.references.isEmpty }
            )
            return answered.several <= answered.one
        }
    }

    private static let pieces = (0..<6).map { SyntheticMusic(seed: 900 + UInt64($0), duration: 14) }
    private static let signatures = Result { try pieces.map { try $0.signature() } }

    /// Chance is drawn over the whole, wherever a draw falls: a leaf that measured its own would score spectrograms otherwise.
    @Test("leaves read spectrograms as one machine does", arguments: [2, 3, 6], [0, 2])
    func spectrograms(parts: Int, size: Int) throws {
        let targets = try targets(Self.signatures.get())
        let whole = catalog(targets)
        var generator = SeededGenerator(seed: 7)
        let leaves = try Leaves(targets, parts: parts, &generator)
        var found = 0
        for (number, decibels) in [(0, 10.0), (1, -3), (2, -6), (3, -9), (4, -11), (5, -11)] {
            let samples = Self.pieces[number].samples(from: 3, seconds: 4)
            let query = try Signature.of(Degradation.noisy(samples, signalToNoise: decibels, seed: UInt64(number)))
            let one = try whole.search(query, parameters: Self.sizes[size]).accepted
            let several = try leaves.search(query, Self.sizes[size]).search.references
            #expect(isAnsweredAlike(one, several), "\(number): \(one.map(\.score)) \(several.map(\.score))")
            found += one.count
        }
        #expect(found >= 4)
        for seed in 0..<3 {
            let query = try Signature.of(SyntheticMusic(seed: 1_700 + UInt64(seed), duration: 5).samples())
            #expect(try leaves.search(query, Self.sizes[size]).search.references.isEmpty)
        }
    }

    @Test("leaves ask for a spectrogram where one machine does")
    func moreEvidence() throws {
        let targets = try targets(Self.signatures.get())
        var generator = SeededGenerator(seed: 7)
        let leaves = try Leaves(targets, parts: 3, &generator)
        let samples = Self.pieces[3].samples(from: 4, seconds: 4)
        let doubtful = try Signature.of(Degradation.noisy(samples, signalToNoise: -11, seed: 3))
        let run = try leaves.search(doubtful.withSpectrogramElsewhere(), MatchingParameters())
        #expect(run.search.wantsSpectrogram && run.search.references.isEmpty && !run.kinds.contains(.wide))
        let clear = try Signature.of(Self.pieces[3].samples(from: 4, seconds: 6)).withSpectrogramElsewhere()
        let other = try leaves.search(clear, MatchingParameters())
        #expect(!other.search.wantsSpectrogram && other.search.references.map(\.id) == ["3"])
    }

    // MARK: - Traps

    @Test("a leaf reads the index that the size of the whole calls for, not its own")
    func sizeOfWhole() throws {
        var generator = SeededGenerator(seed: 1)
        let songs = (0..<8).map { _ in Songs.drawn(generator.next()) }
        let targets = try targets(songs)
        var parameters = MatchingParameters()
        // The whole is beyond both limits, each leaf below.
        parameters.pairLimit = SearchTotals(targets).postingCount / 2
        parameters.secondLookLimit = parameters.pairLimit
        let foreign = Songs.drawn(generator.next(), seconds: 5)
        let run = try Leaves(targets, parts: 4, &generator).search(foreign, parameters)
        let one = try catalog(targets).search(foreign, parameters: parameters)
        // Whole keys are made for searches by triplets only. In a wide round leaves survey for themselves.
        #expect(run.kinds == [.quick, .full, .wide])
        #expect(run.answers.allSatisfy { $0.work.keys > 0 })
        #expect(run.search.work.hits <= 2 * one.work.hits)
    }

    @Test("leaves that do not hold the answer stop with the one that does")
    func roundsOfRoot() throws {
        var generator = SeededGenerator(seed: 2)
        let songs = (0..<8).map { _ in Songs.drawn(generator.next()) }
        let targets = try targets(songs)
        let leaves = try Leaves(targets, parts: 4, &generator)
        let query = Songs.part(of: songs[5], from: 2, seconds: 5)
        for parameters in Self.sizes {
            let run = try leaves.search(query, parameters)
            let alone = try targets.indices.reduce(0) { sum, index in
                try sum + catalog([targets[index]]).search(query, parameters: parameters).work.lookups
            }
            #expect(run.search.references.map(\.id) == ["5"])
            #expect(run.kinds == [.quick])
            // Each by itself would go through all hypotheses.
            #expect(run.search.work.lookups * 3 < alone)
        }
    }

    @Test("keys are made once in a leaf, however many segments and lanes it has")
    func keysOnce() throws {
        var generator = SeededGenerator(seed: 3)
        let songs = (0..<8).map { _ in Songs.drawn(generator.next()) }
        let foreign = Songs.drawn(generator.next(), seconds: 5)
        var made: Set<Int> = []
        for (perSegment, lanes) in [(8, 1), (1, 1), (1, 4), (2, 3)] {
            var work = SearchWork()
            let targets = try targets(songs, perSegment: perSegment)
            _ = Matcher(targets, parameters: Self.sizes[2], lanes: lanes).search(foreign, counting: &work)
            made.insert(work.keys)
        }
        #expect(made.count == 1 && !made.contains(0))
    }

    @Test("a score is against the chance of the whole catalog")
    func score() throws {
        var generator = SeededGenerator(seed: 4)
        let songs = (0..<8).map { _ in Songs.drawn(generator.next()) }
        let targets = try targets(songs)
        var parameters = MatchingParameters()
        parameters.leastFrameCount = 1
        let query = Songs.part(of: songs[2], from: 2, seconds: 5)
        let one = try #require(try catalog(targets).search(query, parameters: parameters).accepted.first)
        let run = try Leaves(targets, parts: 8, &generator).search(query, parameters)
        // A leaf's own frames would give ln 8, 2.1 nats, more.
        #expect(abs(try #require(run.search.references.first).score - one.score) < 1e-9)
    }

    // MARK: - Parts of the whole

    @Test("a segment that two leaves answer for counts once")
    func twice() throws {
        var generator = SeededGenerator(seed: 5)
        let songs = (0..<6).map { _ in Songs.drawn(generator.next()) }
        let targets = try targets(songs)
        let leaves = try Leaves(targets, parts: 3, &generator)
        let query = Songs.part(of: songs[4], from: 2, seconds: 5)
        let once = try leaves.search(query, MatchingParameters())
        let twice = try leaves.search(query, MatchingParameters()) { answers, _ in answers + answers }
        #expect(twice.search.segments == Array(0..<6) && twice.search.isComplete)
        #expect(twice.search.candidates == once.search.candidates)
        #expect(twice.search.references == once.search.references)
    }

    @Test("without one leaf the rest answer, and the search is not complete")
    func missing() throws {
        var generator = SeededGenerator(seed: 6)
        let songs = (0..<6).map { _ in Songs.drawn(generator.next()) }
        let targets = try targets(songs)
        let leaves = try Leaves(targets, parts: 3, &generator)
        for song in songs.indices {
            let query = Songs.part(of: songs[song], from: 2, seconds: 5)
            let run = try leaves.search(query, MatchingParameters()) { answers, _ in Array(answers.dropLast()) }
            let isThere = run.search.segments.contains(song)
            #expect(!run.search.isComplete && run.search.segments.count == 4)
            #expect(run.search.references.map(\.id) == (isThere ? [ReferenceID("\(song)")] : []))
        }
        // One that is late in one round counts if it answers all that follow.
        let foreign = Songs.drawn(generator.next(), seconds: 5)
        for (late, isComplete) in [(SearchRound.Kind.quick, true), (.full, false), (.wide, false)] {
            let run = try leaves.search(foreign, MatchingParameters()) { answers, kind in
                kind == late ? Array(answers.dropLast()) : answers
            }
            #expect(run.kinds == [.quick, .full, .wide])
            #expect(run.search.isComplete == isComplete)
        }
    }

    @Test("a leaf that takes over a segment goes on with what another has found")
    func takenOver() throws {
        property("taken over", rounds: 2) { generator in
            let songs = (0..<6).map { _ in Songs.drawn(generator.next()) }
            let targets = try targets(songs)
            let query = Warp.played(1.05).applied(to: Songs.part(of: songs[3], from: 1, seconds: 5))
            let one = try catalog(targets).search(query).accepted
            var search = CatalogSearch(query, totals: SearchTotals(targets))
            while let round = search.round {
                search.take(try Leaves(targets, parts: 3, &generator).answers(round, query, MatchingParameters()))
            }
            return search.isComplete && isAnsweredAlike(one, search.references) && !one.isEmpty
        }
    }

    @Test("what a round carries may be any numbers")
    func damaged() throws {
        property("damaged rounds", rounds: 10) { generator in
            let songs = (0..<3).map { _ in Songs.drawn(generator.next(), seconds: 6) }
            let targets = try targets(songs)
            let catalog = catalog(targets)
            let query = Songs.part(of: songs[1], from: 1, seconds: 4)
            var round = SearchRound(kind: .wide, totals: SearchTotals(targets))
            round.totals.segmentCount = 5
            round.looksAgain = true
            let odd = [0, 1, -1, .nan, .infinity, -1e300, 1e18]
            func number() -> Double { odd.randomElement(using: &generator) ?? 0 }
            for _ in 0..<20 {
                var candidate = Candidate(
                    segment: Int.random(in: -1...6, using: &generator),
                    reference: Int.random(in: -1...2, using: &generator),
                    alignment: Alignment(offset: number(), speed: 1, pitch: number()),
                    votes: 0,
                    inside: Int.random(in: -5...5, using: &generator),
                    matched: .max,
                    evidence: number(),
                    tried: Int.random(in: -1...2, using: &generator),
                    score: number(),
                    span: 0...0
                )
                candidate.bitDeviations = number()
                round.carried.append(candidate)
                round.readings.append(ReferenceReading(segment: .max, reference: .min, deviations: number()))
            }
            let parts = [SearchPart(segment: 0, firstFrame: 0), nil, SearchPart(segment: 4, firstFrame: 0)]
            let answer = try catalog.answer(round, to: query, parts: parts)
            return answer.segments == [0, 4] && answer.candidates.allSatisfy { [0, 4].contains($0.segment) }
        }
    }

    @Test("parts that do not fit into the whole are refused")
    func refused() throws {
        let song = Songs.drawn(1)
        let targets = try targets([song, song])
        let catalog = catalog(targets)
        let round = SearchRound(kind: .quick, totals: SearchTotals(targets))
        let (first, second) = (SearchPart(segment: 0, firstFrame: 0), SearchPart(segment: 1, firstFrame: 10))
        var small = round
        small.totals.postingCount = 1
        let wrong: [(SearchRound, [SearchPart?])] = [
            (round, [first]), (round, [first, first]), (small, [first, second]),
            (round, [first, SearchPart(segment: 2, firstFrame: 0)]),
            (round, [SearchPart(segment: 0, firstFrame: -1), nil]),
        ]
        for (round, parts) in wrong {
            #expect(code { _ = try catalog.answer(round, to: song, parts: parts) } == .requestInvalid)
        }
        #expect(try catalog.answer(round, to: song, parts: [second, first]).segments == [0, 1])
    }
}

/// Catalogs over parts of some segments, each asked as over a network: everything is written and read.
private struct Leaves {
    /// One search, and what was asked and answered.
    struct Run {
        var search: CatalogSearch
        var kinds: [SearchRound.Kind] = []
        var answers: [RoundAnswer] = []
    }

    private let totals: SearchTotals
    private let leaves: [(catalog: Catalog, parts: [SearchPart?])]

    /// Shares out segments at random, at least one to each leaf.
    init(_ targets: [MaskedSegment], parts: Int, _ generator: inout SeededGenerator) throws {
        totals = SearchTotals(targets)
        let places = SearchPart.whole(targets)
        let order = targets.indices.shuffled(using: &generator)
        let holders = order.indices.map { $0 < parts ? $0 : Int.random(in: 0..<parts, using: &generator) }
        leaves = (0..<parts).map { leaf in
            let numbers = zip(order, holders).filter { $0.1 == leaf }.map(\.0)
            // Another segment is there, which is not to be searched.
            let all = numbers + [numbers[0]]
            return (
                Catalog(targets: all.map { targets[$0] }, queryLimits: .standard, name: "leaf \(leaf)"),
                numbers.map { places[$0] } + [nil]
            )
        }
    }

    func answers(
        _ round: SearchRound,
        _ query: Signature,
        _ parameters: MatchingParameters
    ) throws -> [RoundAnswer] {
        let round = try Self.sent(round)
        return try leaves.map { leaf in
            try Self.sent(leaf.catalog.answer(round, to: query, parts: leaf.parts, parameters: parameters))
        }
    }

    func search(
        _ query: Signature,
        _ parameters: MatchingParameters,
        _ change: ([RoundAnswer], SearchRound.Kind) -> [RoundAnswer] = { answers, _ in answers }
    ) throws -> Run {
        var run = Run(search: CatalogSearch(query, totals: totals, parameters: parameters))
        while let round = run.search.round {
            let answers = change(try answers(round, query, parameters), round.kind)
            run.kinds.append(round.kind)
            run.answers += answers
            run.search.take(answers)
        }
        return run
    }

    private static func sent<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
}
