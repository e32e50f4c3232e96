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
        #expect(abs(plays[0].recordingRange.lowerBound.seconds) < 0.5)
        #expect(abs(plays[0].offset.seconds) < 0.1)
        #expect(abs(plays[1].recordingRange.lowerBound.seconds - 9) < 0.5)
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
        #expect(abs(plays[0].recordingRange.upperBound.seconds - 30) < 1)
        #expect(abs(plays[1].recordingRange.lowerBound.seconds - 50) < 1)
        #expect(abs(plays[1].recordingRange.upperBound.seconds - 80) < 1)
        #expect(abs(plays[1].offset.seconds + 50) < 0.1)
        #expect(shares == shares.sorted() && shares.last == 1)
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
        #expect(Set(match.references.map(\.id)).count == 16)
    }

    @Test("limits beyond sense are brought to sense")
    func limits() throws {
        let open = Catalog.QueryLimits(minimum: .zero, maximum: .positiveInfinity)
        #expect(open.minimum == .zero)
        #expect(open.maximum == MediaTime(value: 3_600, timescale: 1))
        let none = Catalog.QueryLimits(minimum: .zero, maximum: .zero)
        #expect(none.maximum == MediaTime(value: 200, timescale: 1_000))
        var catalog = Catalog(queryLimits: none)
        try catalog.add(Songs.drawn(1), representing: [])
        // It ends, whatever it finds in slices so short.
        _ = try catalog.plays(in: Songs.drawn(2, seconds: 3))
    }
}
