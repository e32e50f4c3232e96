import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Cache of metadata in SQLite")
struct SQLiteMetadataCacheTests {
    /// A wall clock and what the cache noted.
    private final class Surroundings: Sendable {
        private let state = Mutex((now: Date(timeIntervalSince1970: 1_777_658_400), notes: [String]()))

        var now: Date { state.withLock { $0.now } }
        var notes: [String] { state.withLock { $0.notes } }

        func advance(_ seconds: Double) { state.withLock { $0.now += seconds } }

        func cache() -> SQLiteMetadataCache {
            SQLiteMetadataCache(now: { self.now }, note: { note in self.state.withLock { $0.notes.append(note) } })
        }
    }

    private static func inFolder(_ body: (URL, Surroundings) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appendingPathComponent("inner"), Surroundings())
    }

    /// The bytes of all files in a folder.
    private static func size(_ folder: URL) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
            let path = folder.appendingPathComponent(name).path
            return try sum + (FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
        }
    }

    private static func value(_ number: Int, _ size: Int) -> Data {
        var random = SeededGenerator(seed: UInt64(number))
        return Data((0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    // MARK: - Options

    @Test("Folder, file size and memory size are read back as they were set", .requirements("R-ACR-183"))
    func options() async throws {
        try await Self.inFolder { folder, surroundings in
            let cache = surroundings.cache()
            #expect(cache.folder == nil && cache.fileSize == 5_120 && cache.memorySize == 512)
            try await cache.setFileSize(1_024)
            try await cache.setMemorySize(256)
            try await cache.setFolder(folder)
            #expect(cache.folder == folder && cache.fileSize == 1_024 && cache.memorySize == 256)
            try await cache.setFileSize(2_048)
            try await cache.setMemorySize(16)
            #expect(cache.fileSize == 2_048 && cache.memorySize == 16)
            for size in [-1, 0, 63, 1_048_577, .max] {
                await Self.refused(.configurationInvalid) { try await cache.setFileSize(size) }
            }
            await Self.refused(.configurationInvalid) { try await cache.setMemorySize(0) }
            let file = folder.appendingPathComponent("file")
            try Data().write(to: file)
            await Self.refused(.writeFailed) { try await cache.setFolder(file) }
            #expect(cache.folder == folder && cache.fileSize == 2_048 && cache.memorySize == 16)
            try await cache.store(Data([1]), for: "a")
            #expect(try await cache.value(for: "a") == Data([1]))
        }
    }

    private static func refused(_ code: EarshotError.Code, _ body: () async throws -> Void) async {
        let error = await #expect(throws: EarshotError.self) { try await body() }
        #expect(error?.code == code)
    }

    @Test("The cache is off, and writes no file, until a folder is set", .requirements("R-ACR-187"))
    func off() async throws {
        try await Self.inFolder { folder, surroundings in
            let cache = surroundings.cache()
            try await cache.store(Data([1]), for: "a")
            #expect(try await cache.value(for: "a") == nil)
            try await cache.clear()
            try await cache.setFileSize(128)
            #expect(!FileManager.default.fileExists(atPath: folder.path))
            try await cache.setFolder(folder)
            #expect(try await cache.value(for: "a") == nil)
            try await cache.store(Data([2]), for: "a")
            #expect(try await cache.value(for: "a") == Data([2]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [SQLiteMetadataCache.fileName])
            let path = folder.appendingPathComponent(SQLiteMetadataCache.fileName).path
            let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(rights == 0o600)
            // Off again: what is on the disk stays, and is there when it is on again.
            try await cache.setFolder(nil)
            #expect(try await cache.value(for: "a") == nil)
            try await cache.setFolder(folder)
            #expect(try await cache.value(for: "a") == Data([2]))
            #expect(surroundings.notes.isEmpty)
        }
    }

    // MARK: - Size

    @Test(
        "All files together never take more than the size, in kilobytes of 1,024 bytes",
        .requirements("R-ACR-184"),
        arguments: [(5_120, 20_000), (512, 700), (64, 3_000), (256, 100_000)]
    )
    func size(kilobytes: Int, valueSize: Int) async throws {
        try await Self.inFolder { folder, surroundings in
            let cache = surroundings.cache()
            try await cache.setFileSize(kilobytes)
            try await cache.setFolder(folder)
            let limit = kilobytes * 1_024
            var largest = 0
            // Enough to fill it and a quarter.
            for number in 0..<(limit / valueSize * 5 / 4 + 3) {
                try await cache.store(Self.value(number, valueSize), for: "query \(number)")
                if number % 16 == 0 || valueSize > 10_000 { largest = max(largest, try Self.size(folder)) }
                #expect(try await cache.value(for: "query \(number)") == Self.value(number, valueSize))
            }
            largest = max(largest, try Self.size(folder))
            #expect(largest <= limit)
            #expect(kilobytes != 5_120 || limit == 5_242_880)
            // It is used, too.
            #expect(largest > limit / 2)
            // What is larger than all of it is not kept, and nothing goes for it.
            try await cache.store(Data(count: limit), for: "large")
            #expect(try await cache.value(for: "large") == nil)
            #expect(try Self.size(folder) <= limit)
        }
    }

    @Test("A smaller size holds at once, also for a file of an earlier run", .requirements("R-ACR-184"))
    func shrinking() async throws {
        try await Self.inFolder { folder, surroundings in
            let cache = surroundings.cache()
            try await cache.setFolder(folder)
            for number in 0..<200 { try await cache.store(Self.value(number, 5_000), for: "\(number)") }
            #expect(try Self.size(folder) > 900_000)
            try await cache.setFileSize(256)
            #expect(try Self.size(folder) <= 256 * 1_024)
            #expect(try await cache.value(for: "199") == Self.value(199, 5_000))
            #expect(try await cache.value(for: "0") == nil)
            let later = surroundings.cache()
            try await later.setFileSize(64)
            try await later.setFolder(folder)
            #expect(try Self.size(folder) <= 64 * 1_024)
            #expect(try await later.value(for: "199") == Self.value(199, 5_000))
            try await later.clear()
            #expect(try await later.value(for: "199") == nil)
            #expect(try Self.size(folder) <= 32 * 1_024)
        }
    }

    @Test("What was stored first goes first, even if it was read lately", .requirements("R-ACR-185"))
    func eviction() async throws {
        try await Self.inFolder { folder, surroundings in
            let cache = surroundings.cache()
            try await cache.setFileSize(256)
            try await cache.setFolder(folder)
            for number in 0..<200 {
                // Also when the clock goes backwards.
                surroundings.advance(number % 3 == 0 ? -7 : 2)
                try await cache.store(Self.value(number, 4_000), for: "\(number)")
                _ = try await cache.value(for: "0")
            }
            var present: [Int] = []
            for number in 0..<200 where try await cache.value(for: "\(number)") != nil { present.append(number) }
            // A run that ends with the newest.
            #expect(present.count > 20 && present == Array((200 - present.count)..<200))
            // What is stored again is the newest again.
            let oldest = present[0]
            try await cache.store(Self.value(oldest, 4_000), for: "\(oldest)")
            for number in 200..<205 { try await cache.store(Self.value(number, 4_000), for: "\(number)") }
            #expect(try await cache.value(for: "\(oldest)") != nil)
            #expect(try await cache.value(for: "\(present[1])") == nil)
        }
    }

    // MARK: - Age

    @Test("What is older than a week is absent, and is removed", .requirements("R-ACR-186"))
    func age() async throws {
        try await Self.inFolder { folder, surroundings in
            let cache = surroundings.cache()
            try await cache.setFolder(folder)
            try await cache.store(Data("SECRET".utf8), for: "a")
            surroundings.advance(2)
            try await cache.store(Data([2]), for: "b")
            surroundings.advance(604_797)
            #expect(try await cache.value(for: "a") == Data("SECRET".utf8))
            surroundings.advance(2)
            #expect(try await cache.value(for: "a") == nil)
            #expect(try await cache.value(for: "b") == Data([2]))
            let file = folder.appendingPathComponent(SQLiteMetadataCache.fileName)
            try await cache.store(Data([3]), for: "c")
            #expect(try Data(contentsOf: file).range(of: Data("SECRET".utf8)) == nil)
            // What a clock of the future stored counts no longer than the other.
            surroundings.advance(-2 * 604_800)
            #expect(try await cache.value(for: "c") == nil)
        }
    }

    // MARK: - Damage

    @Test("A damaged file is thrown away and made anew, and a note says so")
    func damage() async throws {
        try await Self.inFolder { folder, surroundings in
            let file = folder.appendingPathComponent(SQLiteMetadataCache.fileName)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let junk = Data(String(repeating: "no database ", count: 1_000).utf8)
            try junk.write(to: file)
            let cache = surroundings.cache()
            try await cache.setFolder(folder)
            #expect(surroundings.notes.count == 1)
            for number in 0..<50 { try await cache.store(Self.value(number, 3_000), for: "\(number)") }
            #expect(try await cache.value(for: "7") == Self.value(7, 3_000))
            // A value that was changed on the disk, behind the back of the one that has it open.
            var bytes = try Data(contentsOf: file)
            let place = try #require(bytes.range(of: Self.value(7, 3_000).prefix(60)))
            bytes[place.lowerBound + 20] ^= 1
            try bytes.write(to: file)
            let again = surroundings.cache()
            try await again.setFolder(folder)
            #expect(try await again.value(for: "7") == nil)
            #expect(surroundings.notes.count == 2 && surroundings.notes[1].contains("made anew"))
            #expect(try await again.value(for: "8") == nil)
            try await again.store(Data([1]), for: "8")
            #expect(try await again.value(for: "8") == Data([1]))
            // Another database, and a cache whose pages are torn.
            try FileManager.default.removeItem(at: file)
            try await SQLiteMusicStore(url: file).apply([.artist(Artist(id: "a", name: Name("A")))])
            let third = surroundings.cache()
            try await third.setFolder(folder)
            #expect(surroundings.notes.count == 3)
            for number in 0..<50 { try await third.store(Self.value(number, 3_000), for: "\(number)") }
            var torn = try Data(contentsOf: file)
            torn.replaceSubrange(8_192..<40_960, with: repeatElement(0xA5, count: 32_768))
            try torn.write(to: file)
            let fourth = surroundings.cache()
            try await fourth.setFolder(folder)
            #expect(surroundings.notes.count == 4)
            #expect(try await fourth.value(for: "7") == nil)
        }
    }

    @Test("A file that somebody removes is made again")
    func removal() async throws {
        try await Self.inFolder { folder, surroundings in
            let cache = surroundings.cache()
            try await cache.setFolder(folder)
            try await cache.store(Data([1]), for: "a")
            try FileManager.default.removeItem(at: folder)
            #expect(try await cache.value(for: "a") == nil)
            try await cache.store(Data([2]), for: "a")
            #expect(try await cache.value(for: "a") == Data([2]))
        }
    }

    @Test("Many tasks, and two caches of one folder, do not disturb each other")
    func sharing() async throws {
        try await Self.inFolder { folder, surroundings in
            let caches = [surroundings.cache(), surroundings.cache()]
            for cache in caches { try await cache.setFolder(folder) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        try await caches[number % 2].store(Self.value(number, 500), for: "\(number)")
                        let value = try await caches[(number + 1) % 2].value(for: "\(number)")
                        #expect(value == Self.value(number, 500))
                    }
                }
                try await group.waitForAll()
            }
            #expect(surroundings.notes.isEmpty)
        }
    }

    @Test("A repeated query makes no request", .requirements("R-ACR-182"))
    func fetching() async throws {
        try await Self.inFolder { folder, surroundings in
            let cache = surroundings.cache()
            try await cache.setFolder(folder)
            let requests = Mutex(0)
            for _ in 0..<3 {
                let work = try await cache.value(VideoWork.self, for: "work/work-1") { () async throws(EarshotError) in
                    requests.withLock { $0 += 1 }
                    return GuideSamples.work
                }
                #expect(work == GuideSamples.work)
            }
            #expect(requests.withLock { $0 } == 1)
            surroundings.advance(604_801)
            _ = try await cache.value(for: "work/work-1") { () async throws(EarshotError) in
                requests.withLock { $0 += 1 }
                return Data()
            }
            #expect(requests.withLock { $0 } == 2)
        }
    }
}
