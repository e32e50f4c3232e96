import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@Suite("History in SQLite")
struct SQLiteHistoryStoreTests {
    /// A file in a folder that is not there yet.
    private static func file() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent(
            "earshot-\(UUID().uuidString)/inner/history.sqlite"
        )
    }

    private static func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent().deletingLastPathComponent())
    }

    private static func add(_ title: String, to store: SQLiteHistoryStore) async throws -> HistoryEntry {
        try await store.add(HistorySamples.match(title), by: .streamPCM, at: HistorySamples.evening)
    }

    @Test(
        "A store in memory keeps every rule of histories",
        .requirements("R-MC-229", "R-MC-230", "R-MC-231", "R-MC-232", "R-MC-233", "R-MC-234", "R-MC-235"),
        arguments: HistoryStoreRule.all
    )
    func rules(rule: HistoryStoreRule) async throws {
        try await rule.check(SQLiteHistoryStore.inMemory())
    }

    @Test(
        "A file keeps them too",
        .requirements("R-MC-229", "R-MC-230", "R-MC-231", "R-MC-232", "R-MC-233", "R-MC-234", "R-MC-235"),
        arguments: HistoryStoreRule.all
    )
    func rulesInFile(rule: HistoryStoreRule) async throws {
        let url = Self.file()
        defer { Self.remove(url) }
        try await rule.check(SQLiteHistoryStore(url: url))
    }

    @Test("All of an entry is there when the file is opened again", .requirements("R-MC-227"))
    func reopening() async throws {
        let url = Self.file()
        defer { Self.remove(url) }
        let place = try #require(HistoryPlace(latitude: 35.0116, longitude: 135.7681, accuracy: 4))
        let added = try await SQLiteHistoryStore(url: url).add(
            HistorySamples.full,
            by: .streamMicrophone,
            at: HistorySamples.evening,
            place: place,
            coverArt: HistoryEntry.CoverArt(mimeType: "image/webp", data: Data(0...255)),
            heard: 12.25
        )
        let again = SQLiteHistoryStore(url: url)
        let entry = try #require(try await again.entries().first)
        #expect(entry == added)
        let match = entry.match
        #expect(
            [match.album.title, match.album.titleReading, match.artist.name, match.artist.reading, match.track.title]
                == ["Morning Rail", "もーにんぐ", "The Tin Foxes", "ザ・ティン・フォクシズ", "Lantern"]
        )
        #expect(match.artist.alternates == ["Tin Foxes"] && match.track.titleReading == "らんたん")
        #expect(match.album.trackCount == 12 && match.track.number == 3)
        #expect(entry.coverArt?.mimeType == "image/webp" && entry.coverArt?.data == Data(0...255))
        #expect(entry.place == place && entry.date == HistorySamples.evening)
        #expect(try await Self.add("b", to: again).id == added.id + 1)
    }

    @Test(
        "The file is made by the first entry, with its folder, and again when it was removed",
        .requirements("R-MC-228")
    )
    func creation() async throws {
        let url = Self.file()
        defer { Self.remove(url) }
        let store = SQLiteHistoryStore(url: url)
        #expect(try await store.entries().isEmpty)
        #expect(try await store.count() == 0)
        try await store.clear()
        #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
        #expect(try await Self.add("a", to: store).id == 1)
        #expect(FileManager.default.fileExists(atPath: url.path))
        // Others cannot read where somebody was.
        let rights = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        // The file alone, with its log left behind; then all of it.
        try FileManager.default.removeItem(at: url)
        #expect(try await store.count() == 0)
        #expect(try await Self.add("b", to: store).id == 1)
        try FileManager.default.removeItem(at: url.deletingLastPathComponent())
        #expect(try await Self.add("c", to: store).match.track.title == "c")
        #expect(try await SQLiteHistoryStore(url: url).entries().map(\.match.track.title) == ["c"])
    }

    @Test("Stores that share a file, opened at the same moment, give each number once", .requirements("R-MC-230"))
    func sharing() async throws {
        for _ in 0..<5 {
            let url = Self.file()
            defer { Self.remove(url) }
            let ids = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        let store = SQLiteHistoryStore(url: url)
                        _ = try await Self.add("\(number)", to: store)
                        return try await Self.add("\(number) again", to: store).id
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(Set(ids).count == 6)
            #expect(try await SQLiteHistoryStore(url: url).entries().map(\.id) == Array((1...12).reversed()))
        }
    }

    @Test("What is removed cannot be read from the file")
    func erasure() async throws {
        let url = Self.file()
        defer { Self.remove(url) }
        let store = SQLiteHistoryStore(url: url)
        for number in 0..<20 { _ = try await Self.add("secret song \(number)", to: store) }
        try await store.clear()
        for suffix in ["", "-wal"] {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: url.path + suffix))) ?? Data()
            #expect(bytes.range(of: Data("secret song".utf8)) == nil)
        }
    }

    @Test("Files that are no history are refused and left as they are")
    func foreign() async throws {
        let url = Self.file()
        let folder = url.deletingLastPathComponent()
        defer { Self.remove(url) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = Data("This is a text and no database, though it is long enough to be taken for one.".utf8)
        try text.write(to: url)
        await Self.refused(.storeDamaged) { try await Self.add("a", to: SQLiteHistoryStore(url: url)) }
        #expect(try Data(contentsOf: url) == text)
        let music = folder.appendingPathComponent("music.sqlite")
        try await SQLiteMusicStore(url: music).apply([.artist(Artist(id: "a", name: Name("A")))])
        await Self.refused(.storeDamaged) { try await Self.add("a", to: SQLiteHistoryStore(url: music)) }
        #expect(try await SQLiteMusicStore(url: music).counts().artists == 1)
        await Self.refused(.storeUnavailable) { try await Self.add("a", to: SQLiteHistoryStore(url: folder)) }
        let inside = url.appendingPathComponent("history.sqlite")
        await Self.refused(.writeFailed) { try await Self.add("a", to: SQLiteHistoryStore(url: inside)) }
    }

    private static func refused(_ code: EarshotError.Code, _ body: () async throws -> HistoryEntry) async {
        let error = await #expect(throws: EarshotError.self) { _ = try await body() }
        #expect(error?.code == code)
    }

    @Test("Values that are no numbers are refused and take no number")
    func numbers() async throws {
        let store = try SQLiteHistoryStore.inMemory()
        var match = HistorySamples.match("a")
        match.score = .nan
        await Self.refused(.metadataInvalid) {
            try await store.add(match, by: .streamPCM, at: HistorySamples.evening)
        }
        #expect(try await Self.add("b", to: store).id == 1)
    }
}
