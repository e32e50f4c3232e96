import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@Suite("Plays in whole recordings")
struct PlayTests {
    private static func catalog(_ songs: [(ReferenceID, Signature)]) throws -> Catalog {
        var catalog = Catalog()
        for (id, song) in songs { try catalog.add(song, representing: [], id: id) }
        return catalog
    }

    /// Recordings one upon the other, each from a time on.
    private static func mixed(_ parts: [(Signature, at: Double)], seconds: Int) -> Signature {
        var landmarks: [Landmark] = []
        for (part, start) in parts {
            let shift = UInt32(start * Double(Landmark.stepsPerSecond))
            landmarks += part.landmarks.map { Landmark(time: $0.time + shift, frequency: $0.frequency, tier: $0.tier) }
        }
        return Signature(
            configuration: .standard,
            duration: MediaTime(value: Int64(seconds), timescale: 1),
            landmarks: Set(landmarks).sorted()
        )
    }

    private static func near(_ range: Range<MediaTime>, _ begin: Double, _ end: Double, within limit: Double) -> Bool {
        abs(range.lowerBound.seconds - begin) < limit && abs(range.upperBound.seconds - end) < limit
    }

    @Test("ends are finer than slices, wherever a play begins")
    func ends() throws {
        let song = Songs.drawn(200, seconds: 60)
        let catalog = try Self.catalog([("song", song)])
        for (begin, length) in [(3.1, 17.3), (11.7, 33.9), (1.3, 4.7)] {
            let heard = Songs.part(of: song, from: 12.5, seconds: length)
            let around = Songs.drawn(201, seconds: 60)
            let recording = Songs.joined([
                Songs.part(of: around, from: 0, seconds: begin), heard, Songs.part(of: around, from: 20, seconds: 25),
            ])
            let plays = try catalog.plays(in: recording)
            try #require(plays.count == 1)
            #expect(Self.near(plays[0].queryRange, begin, begin + length, within: 0.7))
            #expect(Self.near(plays[0].referenceRange, 12.5, 12.5 + length, within: 0.7))
            #expect(abs(plays[0].speedSkew) < 0.001)
        }
    }

    @Test("songs at once are plays that overlap")
    func overlap() throws {
        let (first, second) = (Songs.drawn(210, seconds: 40), Songs.drawn(211, seconds: 40))
        let catalog = try Self.catalog([("first", first), ("second", second)])
        let plays = try catalog.plays(in: Self.mixed([(first, at: 0), (second, at: 25)], seconds: 65))
        #expect(plays.map(\.id) == ["first", "second"])
        try #require(plays.count == 2)
        #expect(Self.near(plays[0].queryRange, 0, 40, within: 0.5))
        #expect(Self.near(plays[1].queryRange, 25, 65, within: 0.5))
    }

    @Test("a pause is part of a play when the line goes on, and ends it when not")
    func pauses() throws {
        let song = Songs.drawn(220, seconds: 60)
        let catalog = try Self.catalog([("song", song)])
        let begin = Songs.part(of: song, from: 0, seconds: 20)
        let talk = Songs.drawn(221, seconds: 8)
        let goesOn = Songs.joined([begin, talk, Songs.part(of: song, from: 28, seconds: 20)])
        let plays = try catalog.plays(in: goesOn)
        try #require(plays.count == 1)
        #expect(Self.near(plays[0].queryRange, 0, 48, within: 0.3))
        let again = try catalog.plays(in: Songs.joined([begin, talk, begin]))
        #expect(again.count == 2)
        #expect(again.allSatisfy { $0.referenceRange.upperBound.seconds < 20.5 })
    }

    @Test("a repeat inside a track makes no play of its own")
    func repeats() throws {
        let (verse, refrain) = (Songs.drawn(230, seconds: 16), Songs.drawn(231, seconds: 12))
        let song = Songs.joined([refrain, verse, refrain, Songs.drawn(232, seconds: 16), refrain])
        let catalog = try Self.catalog([("song", song)])
        let plays = try catalog.plays(in: Songs.joined([Songs.drawn(233, seconds: 10), song]))
        try #require(plays.count == 1)
        #expect(Self.near(plays[0].queryRange, 10, 78, within: 0.3))
        #expect(abs(plays[0].offset.seconds + 10) < 0.05)
    }

    @Test("a recording that the catalog has twice is one play and a duplicate of it")
    func duplicates() throws {
        let song = Songs.drawn(240, seconds: 30)
        // Another edition: a little of it was lost.
        let edition = Signature(
            configuration: .standard,
            duration: song.duration,
            landmarks: song.landmarks.enumerated().filter { $0.offset % 10 != 0 }.map(\.element)
        )
        let catalog = try Self.catalog([("edition", edition), ("song", song)])
        let plays = try catalog.plays(in: Songs.joined([Songs.drawn(241, seconds: 10), song]))
        #expect(plays.count == 2)
        #expect(plays.first { $0.duplicateOf == nil }?.id == "song")
        #expect(plays.first { $0.duplicateOf != nil }?.id == "edition")
        #expect(plays.first { $0.duplicateOf != nil }?.duplicateOf == "song")
    }

    @Test("a passage that another reference shares is no play of that one")
    func sharedPassage() throws {
        let sample = Songs.drawn(250, seconds: 8)
        let song = Songs.joined([Songs.drawn(251, seconds: 20), sample, Songs.drawn(252, seconds: 20)])
        let other = Songs.joined([Songs.drawn(253, seconds: 30), sample, Songs.drawn(254, seconds: 30)])
        let catalog = try Self.catalog([("song", song), ("other", other)])
        let plays = try catalog.plays(in: Songs.joined([Songs.drawn(255, seconds: 10), song]))
        #expect(plays.map(\.id) == ["song"])
    }

    @Test("the plays do not depend on where slices begin: ends within 0.1 s, lines within 5 ms")
    func phases() throws {
        let songs = (0..<3).map { Songs.drawn(260 + UInt64($0), seconds: 45) }
        let catalog = try Self.catalog(songs.enumerated().map { (ReferenceID("\($0.offset)"), $0.element) })
        let recording = Self.mixed(
            [
                (Songs.drawn(270, seconds: 12), at: 0), (songs[0], at: 12.3), (songs[1], at: 50),
                (Songs.drawn(271, seconds: 9), at: 95), (Songs.part(of: songs[2], from: 8, seconds: 6), at: 104.4),
                (Songs.drawn(272, seconds: 8), at: 110.4),
            ],
            seconds: 120
        )
        let usual = try catalog.plays(in: recording)
        #expect(usual.map(\.id) == ["0", "1", "2"])
        for phase in [0.7, 1.9, 3.3, 4.6] {
            let plays = try catalog.plays(in: recording, from: MediaTime(seconds: phase))
            try #require(plays.map(\.id) == usual.map(\.id))
            for (play, other) in zip(plays, usual) {
                let (begin, end) = (other.queryRange.lowerBound.seconds, other.queryRange.upperBound.seconds)
                #expect(Self.near(play.queryRange, begin, end, within: 0.1))
                let middle = (begin + end) / 2
                let place = play.offset.seconds + (1 + play.speedSkew) * middle
                #expect(abs(place - other.offset.seconds - (1 + other.speedSkew) * middle) < 0.005)
            }
        }
    }

    @Test("recordings fed in blocks of any size have equal plays")
    func blocks() throws {
        let music = (0..<2).map { SyntheticMusic(seed: 300 + UInt64($0), duration: 22) }
        let catalog = try Self.catalog(
            try music.enumerated().map { (ReferenceID("\($0.offset)"), try $0.element.signature()) }
        )
        let samples = Array(
            (music[0].samples(from: 0, seconds: 14, sampleRate: 16_000)
                + music[1].samples(from: 5, seconds: 12, sampleRate: 16_000))
        )
        let whole = try catalog.plays(in: .of(samples))
        #expect(whole.map(\.id) == ["0", "1"])
        for size in [160, 1_023, 16_000, 100_000] {
            var generator = SignatureGenerator()
            for start in stride(from: 0, to: samples.count, by: size) {
                let block = Array(samples[start..<min(start + size, samples.count)])
                try generator.append(AudioBuffer(block, sampleRate: 16_000))
            }
            #expect(try catalog.plays(in: generator.signature()) == whole)
        }
    }

    @Test("the speed of a long play is that of all of it")
    func speed() throws {
        let song = Songs.drawn(280, seconds: 90)
        let catalog = try Self.catalog([("song", song)])
        let fast = Signature(
            configuration: .standard,
            duration: MediaTime(seconds: 90 / 1.03),
            landmarks: song.landmarks.map {
                Landmark(time: UInt32((Double($0.time) / 1.03).rounded()), frequency: $0.frequency, tier: $0.tier)
            }.sorted()
        )
        let plays = try catalog.plays(in: Songs.joined([Songs.drawn(281, seconds: 10), fast]))
        try #require(plays.count == 1)
        #expect(abs(plays[0].speedSkew - 0.03) < 0.0002)
        #expect(Self.near(plays[0].queryRange, 10, 10 + 90 / 1.03, within: 0.3))
    }

    @Test("a thorough search finds a second song at another speed under the first")
    func thorough() throws {
        let (first, second) = (Songs.drawn(290, seconds: 40), Songs.drawn(291, seconds: 40))
        let fast = Signature(
            configuration: .standard,
            duration: second.duration,
            landmarks: second.landmarks.map {
                Landmark(time: UInt32((Double($0.time) / 1.04).rounded()), frequency: $0.frequency, tier: $0.tier)
            }.sorted()
        )
        let catalog = try Self.catalog([("first", first), ("second", second)])
        let recording = Self.mixed([(first, at: 0), (fast, at: 1)], seconds: 40)
        let plays = try catalog.plays(in: recording, isThorough: true)
        #expect(Set(plays.map(\.id)) == ["first", "second"])
        #expect(abs((plays.first { $0.id == "second" }?.speedSkew ?? 0) - 0.04) < 0.001)
    }
}
