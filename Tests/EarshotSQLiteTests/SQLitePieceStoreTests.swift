import EarshotCore
import EarshotPieces
import Foundation
import GRDB
import TestSupport
import Testing

@testable import EarshotSQLite

@Suite("Pieces in SQLite")
struct SQLitePieceStoreTests {
    private static func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test("a text that identifies something has no U+0000, and is refused with one error")
    func nul() async throws {
        let store = try SQLitePieceStore.inMemory()
        let author = PieceAuthor(id: "a", name: try AuthorName("Ada"), created: Date(timeIntervalSince1970: 0))
        #expect(try await store.put(author))
        try await store.setAuthor("a", ofUser: "u")
        let attempts: [() async throws -> Void] = [
            { _ = try await store.author("a\u{0}") }, { _ = try await store.author(ofUser: "u\u{0}x") },
            { try await store.setAuthor(nil, ofUser: "u\u{0}") }, { _ = try await store.users(ofAuthor: "a\u{0}") },
            { _ = try await store.application("x\u{0}") }, { _ = try await store.piece(withPart: "p\u{0}") },
            { _ = try await store.waitingCode(userCode: "\u{0}", at: author.created) },
        ]
        for attempt in attempts {
            let error = await #expect(throws: EarshotError.self) { try await attempt() }
            #expect(error?.code == .requestInvalid)
        }
        #expect(try await store.author(ofUser: "u") == author)
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

    @Test("A file from before codes had challenges gets them, and its codes are as good as they were")
    func migration() async throws {
        try await Self.inFolder { folder in
            let url = folder.appendingPathComponent("pieces.sqlite")
            let now = PieceSamples.evening
            let old = try DatabaseQueue(path: url.path)
            try PieceSchema.migrator.migrate(old, upTo: "pieces 1")
            try await old.write { database in
                try database.execute(
                    sql: "INSERT INTO login_code (digest, client, author, userCode, expires) VALUES (?, ?, ?, ?, ?)",
                    arguments: [Data([1]), "c", "one", nil, now.timeIntervalSince1970 + 300]
                )
            }
            try old.close()
            let store = try SQLitePieceStore(url: url)
            let taken = try await store.takeCode(Data([1]), client: "c", at: now)
            #expect(taken?.author == "one" && taken?.challenge == nil)
            let code = LoginCode(
                digest: Data([2]),
                client: "c",
                author: "one",
                challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                expires: now.addingTimeInterval(300)
            )
            try await store.put(code)
            #expect(try await SQLitePieceStore(url: url).takeCode(Data([2]), client: "c", at: now) == code)
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
