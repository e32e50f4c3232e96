import EarshotCore
import EarshotMusic
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@Suite("Music in SQLite")
struct SQLiteMusicStoreTests {
    private func file() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder.appendingPathComponent("music.sqlite")
    }

    private static func song(_ number: Int) -> MusicChange {
        .track(Track(id: EntityID("t\(number)"), title: Name("Song number \(number)")))
    }

    @Test("A store keeps every rule", arguments: MusicStoreRule.all)
    func rules(rule: MusicStoreRule) async throws {
        try await rule.check(SQLiteMusicStore.inMemory())
    }

    @Test("A file keeps every rule too", arguments: MusicStoreRule.all)
    func rulesInFile(rule: MusicStoreRule) async throws {
        let url = try file()
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        try await rule.check(SQLiteMusicStore(url: url))
    }

    @Test("What was written is there when the file is opened again")
    func reopening() async throws {
        let url = try file()
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        try await SQLiteMusicStore(url: url).apply([Self.song(1)])
        let again = try SQLiteMusicStore(url: url)
        #expect(try await again.track("t1")?.title.text == "Song number 1")
        try await again.apply([Self.song(2)])
        #expect(try await again.search(MusicQuery(track: "song number")).count == 2)
        #expect(try await again.check().isEmpty)
    }

    @Test("A backup made while something is written is whole, and can be restored")
    func backup() async throws {
        let url = try file()
        let folder = url.deletingLastPathComponent()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteMusicStore(url: url)
        try await store.apply((0..<200).map(Self.song))
        let writing = Task {
            for number in 200..<260 { try await store.apply([Self.song(number)]) }
        }
        let copy = folder.appendingPathComponent("copy.sqlite")
        try await store.backup(to: copy)
        try await writing.value
        let count = try await SQLiteMusicStore(url: copy).counts().tracks
        #expect((200...260).contains(count))
        let error = await #expect(throws: EarshotError.self) { try await store.backup(to: copy) }
        #expect(error?.code == .destinationExists)
        let place = folder.appendingPathComponent("restored.sqlite")
        try await SQLiteMusicStore.restore(copy, to: place)
        #expect(try await SQLiteMusicStore(url: place).counts().tracks == count)
        // In the place of another store, nothing of that one is left, neither in its log nor beside it.
        try await SQLiteMusicStore(url: place).apply([Self.song(9_999)])
        try await SQLiteMusicStore.restore(copy, to: place)
        #expect(try await SQLiteMusicStore(url: place).track("t9999") == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.contains(".before") || $0.contains(".restoring") })
    }

    @Test("A file that is no store, or of a newer version, is refused, and a damaged backup leaves what is there")
    func damage() async throws {
        let url = try file()
        let folder = url.deletingLastPathComponent()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = folder.appendingPathComponent("text.sqlite")
        try Data("This is a text and no database, though it is long enough to be taken for one.".utf8).write(to: text)
        let error = #expect(throws: EarshotError.self) { try SQLiteMusicStore(url: text) }
        #expect(error?.code == .storeDamaged)
        try await SQLiteMusicStore(url: url).apply([Self.song(1)])
        let refused = await #expect(throws: EarshotError.self) { try await SQLiteMusicStore.restore(text, to: url) }
        #expect(refused?.code == .storeDamaged)
        #expect(try await SQLiteMusicStore(url: url).counts().tracks == 1)
        let missing = folder.appendingPathComponent("missing/music.sqlite")
        let unreachable = #expect(throws: EarshotError.self) { try SQLiteMusicStore(url: missing) }
        #expect(unreachable?.code == .storeUnavailable)
    }

    @Test("Many tasks read and write at once, and nothing is lost")
    func concurrency() async throws {
        let url = try file()
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        let store = try SQLiteMusicStore(url: url)
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask { try await store.apply([Self.song(number)]) }
                group.addTask { _ = try await store.search(MusicQuery("song", isTyping: true)) }
            }
            try await group.waitForAll()
        }
        #expect(try await store.counts().tracks == 40)
        #expect(try await store.check().isEmpty)
    }
}
