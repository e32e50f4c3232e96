import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@Suite("Guide in SQLite")
struct SQLiteGuideStoreTests {
    private static func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test("A store in memory keeps every rule of guides", arguments: GuideStoreRule.all)
    func rules(rule: GuideStoreRule) async throws {
        try await rule.check(SQLiteGuideStore.inMemory())
    }

    @Test("A file keeps them too", arguments: GuideStoreRule.all)
    func rulesInFile(rule: GuideStoreRule) async throws {
        try await Self.inFolder { folder in
            try await rule.check(SQLiteGuideStore(url: folder.appendingPathComponent("guide.sqlite")))
        }
    }

    @Test("All of a guide is there when the file is opened again, and nobody else can read it")
    func reopening() async throws {
        try await Self.inFolder { folder in
            let url = folder.appendingPathComponent("guide.sqlite")
            let channel = GuideSamples.channel("one", number: "5.1", tag: "T")
            let airing = GuideSamples.airing(channel, GuideSamples.full, 0, 90, isRepeat: true)
            let store = try SQLiteGuideStore(url: url)
            try await store.apply([.channel(channel), .airing(airing)])
            let again = try SQLiteGuideStore(url: url)
            #expect(try await again.program("program-full", links: true) == GuideSamples.full)
            #expect(try await again.work("work-1", links: true) == GuideSamples.work)
            #expect(try await again.channel("one", links: true) == channel)
            #expect(try await again.airing(on: "one", at: GuideSamples.evening)?.end == GuideSamples.minute(90))
            for suffix in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: url.path + suffix)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
            _ = store
        }
    }

    @Test("Files that are no guide, or damaged, are refused and left as they are")
    func foreign() async throws {
        try await Self.inFolder { folder in
            let url = folder.appendingPathComponent("guide.sqlite")
            let text = Data(String(repeating: "This is a text and no database. ", count: 200).utf8)
            try text.write(to: url)
            Self.refused(.storeDamaged) { try SQLiteGuideStore(url: url) }
            #expect(try Data(contentsOf: url) == text)
            let music = folder.appendingPathComponent("music.sqlite")
            try await SQLiteMusicStore(url: music).apply([.artist(Artist(id: "a", name: Name("A")))])
            Self.refused(.storeDamaged) { try SQLiteGuideStore(url: music) }
            Self.refused(.storeUnavailable) { try SQLiteGuideStore(url: folder) }
            Self.refused(.writeFailed) { try SQLiteGuideStore(url: url.appendingPathComponent("guide.sqlite")) }
            // A guide of which a part was written over.
            let torn = folder.appendingPathComponent("torn.sqlite")
            try await Self.fill(torn)
            var bytes = try Data(contentsOf: torn)
            try #require(bytes.count > 40_960)
            bytes.replaceSubrange(8_192..<bytes.count, with: repeatElement(0x5A, count: bytes.count - 8_192))
            try bytes.write(to: torn)
            let error = await #expect(throws: EarshotError.self) {
                let store = try SQLiteGuideStore(url: torn)
                _ = try await store.programs(titled: "title", limit: 9)
                _ = try await store.program("p7", links: false)
            }
            #expect(error?.code == .storeDamaged)
        }
    }

    /// A guide that is closed again.
    private static func fill(_ url: URL) async throws {
        let store = try SQLiteGuideStore(url: url)
        try await store.apply((0..<400).map { .program(GuideSamples.program("p\($0)", "Title \($0)")) })
    }

    private static func refused(_ code: EarshotError.Code, _ body: () throws -> SQLiteGuideStore) {
        let error = #expect(throws: EarshotError.self) { _ = try body() }
        #expect(error?.code == code)
    }

    @Test("A guide is imported into a file while it is read")
    func importing() async throws {
        try await Self.inFolder { folder in
            let url = folder.appendingPathComponent("guide.sqlite")
            let channels = (0..<5).map { GuideSamples.channel("c\($0)") }
            let airings = channels.flatMap { channel in
                (0..<200).map { number in
                    let program = GuideSamples.program("p\(number % 150)", "Title \(number % 150)")
                    return GuideSamples.airing(channel, program, Double(number * 30), Double(number * 30 + 30))
                }
            }
            let guide = try XMLTVReader().guide(in: XMLTVWriter().data(channels: channels, airings: airings))
            let store = try SQLiteGuideStore(url: url)
            let other = try SQLiteGuideStore(url: url)
            async let summary = GuideImport(into: store, batchSize: 50).run(guide)
            for _ in 0..<20 { _ = try await other.airing(on: "c0.example", at: GuideSamples.minute(45)) }
            #expect(try await summary.airings == 1_000)
            let counts = try await other.counts()
            #expect((counts.airings, counts.programs, counts.channels) == (1_000, 150, 5))
            #expect(
                try await other.airing(on: "c0.example", at: GuideSamples.minute(45))?.program.title.text == "Title 1"
            )
        }
    }
}
