import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Guide import")
struct GuideImportTests {
    private static func guide(_ titles: [(String, Double, Double)], channel: String = "one.example") throws
        -> XMLTVGuide
    {
        let programmes = titles.map { title, from, to in
            let times = [from, to].map { XMLTVTime.text(GuideSamples.minute($0)) }
            return
                "<programme start=\"\(times[0])\" stop=\"\(times[1])\" channel=\"\(channel)\"><title>\(title)</title></programme>"
        }
        let names = "<display-name>Harbour</display-name><display-name>7</display-name>"
        return try XMLTVReaderTests.read(
            "<channel id=\"\(channel)\">\(names)</channel>\n" + programmes.joined(separator: "\n")
        )
    }

    private static func shown(_ store: any GuideStore) async throws -> [String] {
        try await store.airings(from: .distantPast, to: .distantFuture).map { airing in
            "\(airing.channel.id) \(airing.program.title.text) \(Int(airing.start.timeIntervalSince(GuideSamples.evening) / 60))"
        }
    }

    @Test("A changed schedule leaves nothing of the earlier one", arguments: [1, 2, 1_000])
    func changes(batchSize: Int) async throws {
        let store = MemoryGuideStore()
        let importer = GuideImport(into: store, batchSize: batchSize)
        let first = try await importer.run(Self.guide([("A", 0, 30), ("B", 30, 60), ("C", 60, 90)]))
        #expect((first.channels, first.programs, first.airings) == (1, 3, 3))
        try await importer.run(Self.guide([("A", 20, 50), ("D", 50, 75)]))
        #expect(try await Self.shown(store) == ["one.example A 0", "one.example A 20", "one.example D 50"])
        let again = try await importer.run(Self.guide([("A", 20, 50), ("D", 50, 75)]))
        #expect(again.airings == 2 && again.notes.isEmpty)
        #expect(try await store.counts().airings == 3)
    }

    @Test("One entry with a date of long ago leaves what the store has of the time in between")
    func oddDate() async throws {
        let store = MemoryGuideStore()
        let importer = GuideImport(into: store)
        try await importer.run(Self.guide([("Old", -40_000, -39_970)]))
        try await importer.run(Self.guide([("Odd", -80_000, -79_970), ("New", 0, 30)]))
        #expect(
            try await Self.shown(store)
                == ["one.example Odd -80000", "one.example Old -40000", "one.example New 0"]
        )
    }

    @Test("A guide finds the channel that carries its identifier, and does not rename it")
    func channels() async throws {
        let store = MemoryGuideStore()
        var own = BroadcastChannel(id: "123456789", tag: "T", name: Name("Harbour One"))
        own.externalIdentifiers = [ExternalIdentifier(source: "xmltv", kind: "channel", value: "one.example")]
        try await store.apply([.channel(own)])
        try await GuideImport(into: store).run(Self.guide([("A", 0, 30)]))
        #expect(try await Self.shown(store) == ["123456789 A 0"])
        let channel = try await store.channel("123456789", links: true)
        #expect(channel?.name == own.name && channel?.tag == "T" && channel?.number == "7")
        #expect(try await store.counts().channels == 1)
    }

    @Test("What somebody said of a channel or a programme stays when the guide is imported again")
    func additions() async throws {
        let store = MemoryGuideStore()
        let guide = try Self.guide([("A", 0, 30)])
        try await GuideImport(into: store).run(guide)
        let link = ExternalIdentifier(source: "registry", kind: "station", value: "1")
        var channel = try #require(try await store.channel("one.example", links: true))
        (channel.tag, channel.callSign) = ("T", "HBR")
        channel.externalIdentifiers.append(link)
        var program = try #require(guide.programs.first)
        program.work = GuideSamples.work.summary
        try await store.apply([.channel(channel), .program(program)])
        try await GuideImport(into: store).run(guide)
        #expect(try await store.channel("one.example", links: true) == channel)
        #expect(try await store.program(program.id, links: true)?.work == GuideSamples.work.summary)
    }

    @Test("A file is imported, and one that is damaged changes nothing")
    func files() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString).xml")
        defer { try? FileManager.default.removeItem(at: url) }
        let data = XMLTVWriter().data(airings: [
            GuideSamples.airing(GuideSamples.channel("one"), GuideSamples.full, 0, 90)
        ])
        let store = MemoryGuideStore()
        try data.dropLast(20).write(to: url)
        let error = await #expect(throws: EarshotError.self) { try await GuideImport(into: store).run(contentsOf: url) }
        #expect(error?.code == .metadataInvalid)
        #expect(try await store.counts() == GuideCounts())
        try data.write(to: url)
        try await GuideImport(into: store).run(contentsOf: url)
        #expect(try await store.program("program-full", links: false)?.title == GuideSamples.full.title)
    }
}
