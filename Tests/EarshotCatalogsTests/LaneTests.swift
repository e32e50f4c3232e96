import EarshotCore
import EarshotSegments
import EarshotSignatures
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Lanes of a search")
struct LaneTests {
    private func targets(_ songs: [Signature]) throws -> [MaskedSegment] {
        try songs.enumerated().map { number, song in
            let reference = Reference(
                id: ReferenceID("\(number)"),
                signature: song.thinned(to: Reference.density),
                items: []
            )
            let image = try SegmentWriter.image(of: [reference], limits: .standard)
            return MaskedSegment(segment: try Segment(MappedBytes(image), name: "part"), removed: [])
        }
    }

    @Test("any number of lanes gives the same candidates and reads the same", arguments: [false, true])
    func equal(isLarge: Bool) throws {
        var parameters = MatchingParameters()
        if isLarge { parameters.pairLimit = 0 }
        property("lanes", rounds: 2) { generator in
            let songs = (0..<7).map { _ in
                Songs.drawn(generator.next(), seconds: Int.random(in: 6...20, using: &generator))
            }
            let targets = try targets(songs)
            let part = Songs.part(of: songs[3], from: 1, seconds: 4)
            for query in [part, Warp.played(0.95).applied(to: part), Songs.drawn(generator.next(), seconds: 4)] {
                var expected = SearchWork()
                let one = Matcher(targets, parameters: parameters).search(query, counting: &expected)
                for lanes in [2, 3, 8] {
                    var work = SearchWork()
                    let found = Matcher(targets, parameters: parameters, lanes: lanes).search(query, counting: &work)
                    guard found == one, work == expected else { return false }
                }
            }
            return true
        }
    }

    @Test("with a spectrogram too, lanes change nothing")
    func spectrogram() throws {
        let pieces = (0..<4).map { SyntheticMusic(seed: 900 + UInt64($0), duration: 14) }
        let targets = try targets(pieces.map { try $0.signature() })
        var parameters = MatchingParameters()
        for decibels in [-3.0, -11] {
            let query = try Signature.of(
                Degradation.noisy(pieces[2].samples(from: 3, seconds: 4), signalToNoise: decibels, seed: 2)
            )
            for limit in [0, 20_000_000] {
                parameters.pairLimit = limit
                let one = Matcher(targets, parameters: parameters).search(query)
                #expect(Matcher(targets, parameters: parameters, lanes: 3).search(query) == one)
            }
        }
    }

    @Test("segments are shared out once each, and evenly")
    func shares() {
        property("shares", rounds: 200) { generator in
            let sizes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                Int.random(in: 0...1_000, using: &generator)
            }
            let lanes = Int.random(in: 1...6, using: &generator)
            let shares = VotingLanes.shares(sizes, among: lanes)
            let loads = shares.map { $0.reduce(0) { $0 + sizes[$1] } }
            return shares.flatMap { $0 }.sorted() == Array(sizes.indices) && shares.count <= max(1, lanes)
                && (loads.max() ?? 0) - (loads.min() ?? 0) <= (sizes.max() ?? 0)
        }
    }

    @Test("results of lanes stand in the order of what they were asked")
    func order() {
        for lanes in 1...5 {
            for count in [0, 1, 2, 7, 100] {
                #expect(Lanes.map(Array(0..<count), lanes: lanes) { $0 * 3 } == (0..<count).map { $0 * 3 })
            }
        }
    }

    @Test("a search takes more threads only where they are idle and the catalog is large")
    func busy() throws {
        let targets = try targets((0..<6).map { Songs.drawn($0, seconds: 6) })
        var parameters = MatchingParameters()
        let lanes = SearchLanes(cores: 6)
        #expect(lanes.take(for: targets, parameters) == 1)
        lanes.giveBack(1)
        parameters.leastLanePostings = 0
        #expect(lanes.take(for: targets, parameters) == 4)
        #expect(lanes.take(for: targets, parameters) == 2)
        #expect(lanes.take(for: targets, parameters) == 1)
        lanes.giveBack(4)
        #expect(lanes.take(for: Array(targets.prefix(2)), parameters) == 2)
        #expect(lanes.take(for: Array(targets.prefix(1)), parameters) == 1)
        lanes.giveBack(2 + 1 + 2 + 1)
        parameters.mostLanes = 2
        #expect(lanes.take(for: targets, parameters) == 2)
    }
}
