import EarshotCore
import EarshotPieces
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@Suite("Pieces in SQLite")
struct SQLitePieceStoreTests {
    private static func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test("A store in memory keeps every rule", arguments: PieceStoreRule.all)
    func rules(rule: PieceStoreRule) async throws {
        try await rule.check(SQLitePieceStore.inMemory())
    }

    @Test("All of it is there when the file is opened again, in copies too, and nobody else can read it")
    func reopening() async throws {
        try await Self.inFolder { folder in
            let url = folder.appendingPathComponent("pieces.sqlite")
            let store = try SQLitePieceStore(url: url)
            let piece = try PieceSamples.piece(PieceSamples.full(), parts: [PieceSamples.part()])
            try await store.add(piece)
            #expect(try await SQLitePieceStore(url: url).piece(piece.id) == piece)
            for suffix in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: url.path + suffix)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
            #expect(try await store.check().isEmpty)
            let copy = folder.appendingPathComponent("copy.sqlite")
            try await store.backup(to: copy)
            let other = folder.appendingPathComponent("other.sqlite")
            try await SQLitePieceStore.restore(copy, to: other)
            #expect(try await SQLitePieceStore(url: other).piece(piece.id) == piece)
        }
    }

    @Test("A database of something else is refused by name")
    func stranger() async throws {
        try await Self.inFolder { folder in
            let url = folder.appendingPathComponent("guide.sqlite")
            _ = try SQLiteGuideStore(url: url)
            let error = #expect(throws: EarshotError.self) { try SQLitePieceStore(url: url) }
            #expect(error?.code == .storeDamaged)
        }
    }
}
