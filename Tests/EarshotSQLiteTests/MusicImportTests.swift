import EarshotCore
import EarshotMusic
import EarshotSQLite
import Foundation
import Synchronization
import Testing

@Suite("Imports into SQLite")
struct MusicImportTests {
    private func file(_ lines: [String]) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString).jsonl")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
        return url
    }

    private static func song(_ number: Int) -> String { #"{"id":"a\#(number)","name":"Artist number \#(number)"}"# }

    @Test("Lines are brought in, and those that cannot be used are told with number and reason")
    func lines() async throws {
        let url = try file([Self.song(1), "", "no json", Self.song(2), "{\"id\":\"x\"}"])
        defer { try? FileManager.default.removeItem(at: url) }
        let store = try SQLiteMusicStore.inMemory()
        let rejects = Mutex<[Int]>([])
        let reader = MusicBrainzReader()
        let done = try await MusicImport(into: store).run(
            url.path,
            rejected: { reject in rejects.withLock { $0.append(reject.line) } },
            changes: { line throws(EarshotError) in try reader.changes(in: line, of: .artist) }
        )
        #expect((done.lines, done.rejected, done.changes) == (5, 2, 2))
        #expect(done.bytes == done.size)
        #expect(rejects.withLock { $0 } == [3, 5])
        #expect(try await store.counts().artists == 2)
    }

    @Test("An import that was ended goes on where it was, without a line lost or read twice")
    func resuming() async throws {
        let url = try file((0..<100).map(Self.song))
        defer { try? FileManager.default.removeItem(at: url) }
        let store = try SQLiteMusicStore.inMemory()
        let read = Mutex(0)
        let reader = MusicBrainzReader()
        let run = Task {
            try await MusicImport(into: store, batchSize: 10).run(
                url.path,
                name: "artists",
                progress: { progress in
                    if progress.lines == 40 { withUnsafeCurrentTask { $0?.cancel() } }
                },
                changes: { line throws(EarshotError) in
                    read.withLock { $0 += 1 }
                    return try reader.changes(in: line, of: .artist)
                }
            )
        }
        let ended = await #expect(throws: EarshotError.self) { try await run.value }
        #expect(ended?.code == .cancelled)
        #expect(try await store.counts().artists == 40)
        let done = try await MusicImport(into: store, batchSize: 10).run(url.path, name: "artists") {
            line throws(EarshotError) in
            read.withLock { $0 += 1 }
            return try reader.changes(in: line, of: .artist)
        }
        #expect((done.lines, done.changes) == (100, 100))
        #expect(read.withLock { $0 } == 100)
        #expect(try await store.counts().artists == 100)
    }

    @Test("A file that is not there, or a folder, is refused")
    func refused() async throws {
        let importing = MusicImport(into: try SQLiteMusicStore.inMemory())
        let missing = await #expect(throws: EarshotError.self) { try await importing.run("/nowhere/x") { _ in [] } }
        #expect(missing?.code == .assetNotFound)
        let folder = await #expect(throws: EarshotError.self) {
            try await importing.run(FileManager.default.temporaryDirectory.path) { _ in [] }
        }
        #expect(folder?.code == .assetIsDirectory)
    }
}
