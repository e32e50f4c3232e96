import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Media items in a match")
struct MatchedItemTests {
    private static let song = Songs.drawn(70, seconds: 40)

    private func match(
        _ items: [[MediaItemKey: PropertyValue]],
        from start: Double = 5,
        change: (Signature) -> Signature = { $0 }
    ) throws -> [MatchedMediaItem] {
        var catalog = Catalog()
        try catalog.add(Self.song, representing: items.map { try MediaItem(properties: $0) }, id: "song")
        let query = change(Songs.part(of: Self.song, from: start, seconds: 5))
        return try #require(try catalog.match(query)).mediaItems
    }

    @Test("Exactly the keys that were added come back", .requirements("R-CC-030"))
    func keys() throws {
        let properties: [MediaItemKey: PropertyValue] = [
            .title: "T", .teacher: "Ada", .genres: ["a"], "x": [1, [2.5]],
        ]
        let items = try match([properties])
        #expect(items.count == 1)
        #expect(items[0].item.properties == properties)
        #expect(items[0][.title] == "T")
        #expect(items[0]["nothing"] == nil)
    }

    @Test("Keys that an app declares are read from a match", .requirements("R-CC-017", "R-CC-057"))
    func custom() throws {
        let item = try #require(try match([[.teacher: "Ada", .episode: 3]]).first)
        #expect(item[.teacher]?.string == "Ada")
        #expect(item[.episode]?.integer == 3)
    }

    @Test("A signature file with four keys is added and matched", .requirements("R-CC-031"))
    func fromFile() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("episode.earsig")
            try Songs.signatures.get()[0].write(to: url)
            var catalog = Catalog()
            let item = try MediaItem(properties: [
                .title: "Count on me", .subtitle: "Episode 3", .teacher: "Neil", .episode: 3,
            ])
            try catalog.add(Signature(contentsOf: url), representing: [item])
            let query = try Songs.pieces[0].signature(from: 6, seconds: 4)
            let found = try #require(try catalog.match(query)?.mediaItems.first)
            #expect(found.title == "Count on me")
            #expect(found.subtitle == "Episode 3")
            #expect(found[.teacher]?.string == "Neil")
            #expect(found[.episode]?.integer == 3)
        }
    }

    @Test("An empty item comes back as well", .requirements("R-CC-019"))
    func empty() throws {
        let items = try match([[:]])
        #expect(items.count == 1)
        #expect(items[0].item == MediaItem())
        #expect(try match([]).isEmpty)
    }

    @Test("Two items of one reference both come back, in their order", .requirements("R-CC-027"))
    func two() throws {
        #expect(try match([[.title: "b"], [.title: "a"]]).map(\.title) == ["b", "a"])
    }

    @Test(
        "An item for 10 to 20 s appears only for matches there",
        .requirements("R-CC-028"),
        arguments: [(2.0, false), (7.5, true), (12, true), (17, true), (21, false), (30, false)]
    )
    func timeRange(start: Double, appears: Bool) throws {
        let items = try match([[.title: "always"], [.title: "part", .timeRanges: [[10, 20]]]], from: start)
        #expect(items.map(\.title) == (appears ? ["part", "always"] : ["always"]))
    }

    @Test("Of several time ranges one suffices")
    func timeRanges() throws {
        let ranges: [MediaItemKey: PropertyValue] = [.timeRanges: [[0, 1], [30, 31], [6, 7]]]
        #expect(try match([ranges], from: 5).count == 1)
        // Where none holds, that the reference is heard is said all the same.
        #expect(try match([ranges], from: 12).map(\.item) == [MediaItem()])
    }

    @Test(
        "A play has the items that a match has, in a clip and in a long recording",
        arguments: [(2.0, 5.0), (7, 5), (12, 5), (30, 5), (2, 20), (12, 22)]
    )
    func playItems(start: Double, seconds: Double) throws {
        let items: [[MediaItemKey: PropertyValue]] = [
            [.title: "Intro", .timeRanges: [[0, 8]]], [.title: "Verse", .timeRanges: [[8, 25]]], [.title: "Song"],
        ]
        var catalog = Catalog()
        try catalog.add(Self.song, representing: items.map { try MediaItem(properties: $0) }, id: "song")
        let play = try #require(try catalog.plays(in: Songs.part(of: Self.song, from: start, seconds: seconds)).first)
        let end = start + seconds
        let expected = (end > 8 && start < 25 ? ["Verse"] : []) + (start < 8 ? ["Intro"] : []) + ["Song"]
        #expect(play.items.map(\.title) == expected)
        if seconds <= 15 {
            let query = Songs.part(of: Self.song, from: start, seconds: seconds)
            #expect(try catalog.match(query)?.mediaItems.map(\.item) == play.items)
        }
    }

    @Test("A play outside of all time ranges has an item without properties")
    func playWithout() throws {
        var catalog = Catalog()
        let item = try MediaItem(properties: [.title: "Intro", .timeRanges: [[0, 8]]])
        try catalog.add(Self.song, representing: [item], id: "song")
        let play = try #require(try catalog.plays(in: Songs.part(of: Self.song, from: 20, seconds: 10)).first)
        #expect(play.items == [MediaItem()])
    }

    @Test("An item limited to skews of frequency appears only for those")
    func skewRange() throws {
        let items: [[MediaItemKey: PropertyValue]] = [
            [.title: "plain", .frequencySkewRanges: [[-0.01, 0.01]]],
            [.title: "high", .frequencySkewRanges: [[0.04, 0.06], [0.1, 0.2]]],
        ]
        #expect(try match(items).map(\.title) == ["plain"])
        // Five per cent higher: 27 steps of 1/384 octave up.
        let higher = try match(items) { query in
            let landmarks = query.landmarks.filter { $0.frequency < 1_890 }.map {
                Landmark(time: $0.time, frequency: $0.frequency + 27, tier: $0.tier)
            }
            return Signature(configuration: .standard, duration: query.duration, landmarks: landmarks)
        }
        #expect(higher.map(\.title) == ["high"])
        #expect(higher.allSatisfy { abs($0.frequencySkew - 0.05) < 0.005 })
    }

    @Test("A match writes its keys, and they read like any other")
    func written() throws {
        let item = try #require(try match([[.title: "T"]]).first)
        #expect(abs(item.matchOffset.seconds - 5) < 0.01)
        #expect(item[.matchOffset] == .real(item.matchOffset.seconds))
        #expect(item[.frequencySkew] == .real(item.frequencySkew))
        #expect(item[.confidence] == .real(item.confidence))
        #expect((0...1).contains(item.confidence))
        #expect(item.match.id == "song")
        #expect(item.item[.matchOffset] == nil)
    }

    @Test("Only a match can make a matched item", .requirements("R-CC-058"))
    func initializer() throws {
        let sources = packageFolder.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var declarations = 0
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            // Decoding would make one as well.
            let lines = text.split(separator: "\n").filter { $0.contains(" MatchedMediaItem") && $0.hasSuffix("{") }
            #expect(!lines.contains { $0.contains("codable") || $0.contains("Codable") }, "\(file.lastPathComponent)")
            if text.contains("struct MatchedMediaItem") {
                declarations += 1
                #expect(!text.contains("public init"))
                #expect(!text.contains("package init"))
            } else if text.contains("extension MatchedMediaItem") {
                #expect(!text.contains(" init("), "\(file.lastPathComponent)")
            }
        }
        #expect(declarations == 1)
    }
}
