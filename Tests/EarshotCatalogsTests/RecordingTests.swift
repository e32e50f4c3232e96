import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@Suite("Recordings of any length")
struct RecordingTests {
    @Test("a jingle heard twice within one query is two plays")
    func recurringJingle() throws {
        let jingle = Songs.drawn(1, seconds: 4)
        var catalog = Catalog()
        try catalog.add(jingle, representing: [], id: "jingle")
        let recording = Songs.joined([jingle, Songs.drawn(2, seconds: 5), jingle])
        let plays = try catalog.plays(in: recording)
        try #require(plays.count == 2)
        #expect(abs(plays[0].queryRange.lowerBound.seconds) < 0.5)
        #expect(abs(plays[0].offset.seconds) < 0.1)
        #expect(abs(plays[1].queryRange.lowerBound.seconds - 9) < 0.5)
        #expect(abs(plays[1].offset.seconds + 9) < 0.1)
    }

    @Test("songs one after the other are plays in order, each whole")
    func sequence() throws {
        let songs = (10..<13).map { Songs.drawn($0, seconds: 30) }
        var catalog = Catalog()
        for (index, song) in songs.enumerated() { try catalog.add(song, representing: [], id: ReferenceID("\(index)")) }
        let recording = Songs.joined([songs[2], Songs.drawn(99, seconds: 20), songs[0]])
        var shares: [Double] = []
        let plays = try catalog.plays(in: recording) { shares.append($0) }
        #expect(plays.map(\.id) == ["2", "0"])
        #expect(abs(plays[0].queryRange.upperBound.seconds - 30) < 1)
        #expect(abs(plays[1].queryRange.lowerBound.seconds - 50) < 1)
        #expect(abs(plays[1].queryRange.upperBound.seconds - 80) < 1)
        #expect(abs(plays[1].offset.seconds + 50) < 0.1)
        #expect(shares == shares.sorted() && shares.last == 1)
    }

    @Test("a query is found on both sides of where the timeline is divided for counting votes")
    func parts() throws {
        // Votes are counted 2^18 bins of 64 ms at a time, from about 5 s before the first reference on.
        let silence = 16_760.0
        let song = Songs.drawn(23, seconds: 30)
        let shift = UInt32(silence * Double(Landmark.stepsPerSecond))
        let late = Signature(
            configuration: .standard,
            duration: MediaTime(seconds: silence + 30),
            landmarks: song.landmarks.map { Landmark(time: $0.time + shift, frequency: $0.frequency, tier: $0.tier) }
        )
        var catalog = Catalog()
        try catalog.add(late, representing: [], id: "late")
        for start in stride(from: 4.0, through: 20, by: 0.5) {
            let query = Songs.part(of: song, from: start, seconds: 4)
            let best = try #require(try catalog.match(query)?.references.first, "from \(start)")
            #expect(abs(best.offset.seconds - silence - start) < 0.05)
        }
    }

    @Test("the evidence of a match stands out from that of other places, and the threshold between them")
    func comparison() throws {
        let song = Songs.drawn(60, seconds: 60)
        var catalog = Catalog()
        try catalog.add(song, representing: [], id: "song")
        let query = Songs.part(of: song, from: 20, seconds: 6)
        let best = try #require(try catalog.match(query)?.references.first)
        let evidence = try #require(try catalog.evidence(for: query, match: best.best, id: best.id))
        let comparison = evidence.comparison
        #expect(comparison.elsewhere.count >= 200)
        #expect(comparison.elsewhere.allSatisfy { $0 < comparison.threshold })
        #expect(comparison.here > comparison.threshold)
        // The same numbers as the score is made of.
        let gap = best.score - MatchingParameters().threshold
        #expect(abs(comparison.here - comparison.threshold - gap) < 0.01)
        // Where nothing else of the reference is left there is nothing to compare with.
        var short = Catalog()
        try short.add(query, representing: [], id: "query")
        let only = try #require(try short.match(query)?.references.first)
        let alone = try #require(try short.evidence(for: query, match: only.best, id: only.id))
        #expect(alone.comparison.elsewhere.count < 200)
    }

    @Test("as many references as hold the same recording are answered")
    func manyTwins() throws {
        var catalog = Catalog()
        let shared = Songs.drawn(40, seconds: 10)
        for index in 0..<16 {
            let own = Songs.drawn(UInt64(50 + index), seconds: 6)
            try catalog.add(Songs.joined([own, shared]), representing: [], id: ReferenceID("\(index)"))
        }
        let match = try #require(try catalog.match(Songs.part(of: shared, from: 1, seconds: 6)))
        let found = Set(match.references.map(\.id)).count
        #expect(found == 16)
    }

    @Test("limits beyond sense are brought to sense")
    func limits() throws {
        let open = QueryLimits(minimum: .zero, maximum: .positiveInfinity)
        #expect(open.minimum == .zero)
        #expect(open.maximum == MediaTime(value: 3_600, timescale: 1))
        let none = QueryLimits(minimum: .zero, maximum: .zero)
        #expect(none.maximum == MediaTime(value: 200, timescale: 1_000))
        var catalog = Catalog(queryLimits: none)
        try catalog.add(Songs.drawn(1), representing: [])
        // It ends, whatever it finds in slices so short.
        _ = try catalog.plays(in: Songs.drawn(2, seconds: 3))
    }
}
