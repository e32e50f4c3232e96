import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotSQLite
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Log of plays in SQLite")
struct SQLitePlaylogStoreTests {
    /// A file in a folder that is not there yet.
    private static func file() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)/in/plays.sqlite")
    }

    private static func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent().deletingLastPathComponent())
    }

    @Test("A store in memory keeps every rule of logs", arguments: PlaylogStoreRule.all)
    func rules(rule: PlaylogStoreRule) async throws {
        try await rule.check(SQLitePlaylogStore.inMemory())
    }

    @Test("A file keeps them too", arguments: PlaylogStoreRule.all)
    func rulesInFile(rule: PlaylogStoreRule) async throws {
        let url = Self.file()
        defer { Self.remove(url) }
        try await rule.check(SQLitePlaylogStore(url: url))
    }

    @Test("Plays, positions and numbers are there when the file is opened again; only its owner reads it")
    func reopening() async throws {
        let url = Self.file()
        defer { Self.remove(url) }
        do {
            let store = try SQLitePlaylogStore(url: url)
            try await store.put([PlaylogSamples.full, PlaylogSamples.play("b", at: 300, .provisional)])
            try await store.setPosition(1, of: "hook")
        }
        let again = try SQLitePlaylogStore(url: url)
        #expect(try await again.record(PlaylogSamples.full.id) == PlaylogSamples.full)
        #expect(try await again.position(of: "hook") == 1)
        #expect(try await again.openRecords().map(\.referenceID) == ["b"])
        try await again.closeOpen(of: nil, at: nil, reason: .monitorStopped)
        #expect(try await again.changes(after: 1, limit: 9).changes.map(\.sequence) == [2, 3])
        for suffix in ["", "-wal"] {
            let rights = try FileManager.default.attributesOfItem(atPath: url.path + suffix)[.posixPermissions] as? Int
            #expect(rights == 0o600)
        }
        let copy = url.deletingLastPathComponent().appendingPathComponent("copy.sqlite")
        try await again.backup(to: copy)
        #expect(try await SQLitePlaylogStore(url: copy).counts() == again.counts())
    }

    @Test("an entry that is damaged is told as the store's damage, whatever it is", arguments: ["heard", "play"])
    func damage(table: String) async throws {
        let url = Self.file()
        defer { Self.remove(url) }
        let store = try SQLitePlaylogStore(url: url)
        try await store.put([PlaylogSamples.full])
        let play = PlaylogSamples.full
        try await store.note([DetectedInterval(channel: play.channel, start: play.start, end: play.end)])
        try await DatabaseQueue(path: url.path).write { try $0.execute(sql: "UPDATE \(table) SET json = '{'") }
        let error = await #expect(throws: EarshotError.self) {
            _ = try await store.heard(PlayQuery())
            _ = try await store.records(PlayQuery(), after: nil, limit: 9)
        }
        #expect(error?.code == .storeDamaged)
    }

    @Test("Two that share a file number changes in the order in which they become visible")
    func sharing() async throws {
        let url = Self.file()
        defer { Self.remove(url) }
        let stores = [try SQLitePlaylogStore(url: url), try SQLitePlaylogStore(url: url)]
        let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    var numbers: [Int] = []
                    for number in 0..<40 {
                        let play = PlaylogSamples.play("r\(number)", on: "c\(index)", at: Double(number))
                        numbers += [try await store.put(play)].compactMap(\.sequence)
                    }
                    return numbers
                }
            }
            return try await group.reduce(into: [Int]()) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...80))
        #expect(try await stores[0].changes(after: 0, limit: 100).changes.map(\.sequence) == Array(1...80))
    }

    @Test("Databases that are no log of plays are refused and left as they are")
    func foreign() async throws {
        let url = Self.file()
        defer { Self.remove(url) }
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let music = folder.appendingPathComponent("music.sqlite")
        try await SQLiteMusicStore(url: music).apply([.artist(Artist(id: "a", name: Name("A")))])
        let error = #expect(throws: EarshotError.self) { try SQLitePlaylogStore(url: music) }
        #expect(error?.code == .storeDamaged)
        #expect(try await SQLiteMusicStore(url: music).counts().artists == 1)
        try Data("This is a text and no database, though it is long enough for one. ".utf8).write(to: url)
        #expect(throws: EarshotError.self) { try SQLitePlaylogStore(url: url) }
        #expect(throws: EarshotError.self) { try SQLitePlaylogStore(url: folder) }
    }
}
