import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Pieces in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLPieceStoreTests {
    @Test("a store keeps every rule of pieces", arguments: PieceStoreRule.all)
    func rules(rule: PieceStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLPieceStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: PieceStoreRule.all)
    func conflicts(rule: PieceStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLPieceStore(PostgreSQLPool(options))
            let pool = PostgreSQLPool.losingRaces(options)
            try await rule.check(try await PostgreSQLPieceStore(pool))
        }
    }

    @Test("a publication is whole or absent when its connection is cut before any of its statements", arguments: 0..<13)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLPieceStore(PostgreSQLPool(options))
            let parent = try await Self.publish(whole)
            let old = try PieceSamples.piece(
                PieceSamples.draft(basedOn: [parent]),
                parts: ["a", "b"].map { PieceSamples.part(id: $0) }
            )
            try await whole.add(old)
            var new = old
            (new.state, new.published) = (.published, PieceSamples.evening)
            new.parts = ["b", "c", "d"].map { PieceSamples.part(id: $0) }
            // Statements after the connection is made: BEGIN, lock, read, update, three of parts, totals, number, parents, COMMIT.
            let pool = PostgreSQLPool.cut(options, before: statement).pool
            let store = PostgreSQLPieceStore(opened: pool)
            var isKept: Bool?
            do {
                let made = new
                #expect(try await store.update(old.id) { $0 = made } == new)
                isKept = true
            } catch {
                #expect((error as? EarshotError)?.code == .storeUnavailable)
            }
            let piece = try #require(try await whole.piece(old.id))
            #expect(piece == new || (piece == old && isKept != true))
            // All else is as the piece is.
            let isPublished = piece == new
            let discarded = try await whole.discarded(at: PieceSamples.evening, limit: 9).map(\.part)
            #expect(discarded == (isPublished ? ["a"] : []))
            #expect(try await whole.usage(ofAuthor: old.author).totalBytes == (isPublished ? 300 : 200))
            #expect(try await whole.descendants(of: parent, limit: 9).map(\.id) == (isPublished ? [old.id] : []))
            #expect(try await whole.pieces(PieceSearch()).total == (isPublished ? 2 : 1))
            // The pool has a connection again.
            #expect(try await store.piece(old.id) == piece)
        }
    }

    private static func publish(_ store: PostgreSQLPieceStore) async throws -> PieceID {
        var piece = try PieceSamples.piece()
        (piece.state, piece.published) = (.published, PieceSamples.evening)
        try await store.add(piece)
        return piece.id
    }

    // MARK: - Several nodes

    /// Runs a test with the stores of three nodes.
    private static func nodes(_ body: ([PostgreSQLPieceStore]) async throws -> Void) async throws {
        try await TestDatabase.run { options in
            var stores: [PostgreSQLPieceStore] = []
            for _ in 0..<3 { stores.append(try await PostgreSQLPieceStore(PostgreSQLPool(options))) }
            try await body(stores)
        }
    }

    /// Runs work on each of some stores at the same moment, and counts how often it came to something.
    private static func count(
        _ stores: [PostgreSQLPieceStore],
        _ times: Int,
        _ work: @escaping @Sendable (PostgreSQLPieceStore, Int) async throws -> Bool
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<times {
                let store = stores[number % stores.count]
                group.addTask { try await work(store, number) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test("changes of a piece by several nodes at once are all kept")
    func changes() async throws {
        try await Self.nodes { try await PieceStoreRule.changesAtOnce($0) }
    }

    @Test("pieces that several nodes publish at once each take a place of their own")
    func publications() async throws {
        try await Self.nodes { try await PieceStoreRule.publicationsAtOnce($0) }
    }

    @Test("of pieces that several nodes add at once, no more are kept than may be")
    func room() async throws {
        try await Self.nodes { stores in
            let limits: [PieceLimits] = [
                PieceLimits(drafts: 5), PieceLimits(authorBytes: 1_299), PieceLimits(totalBytes: 2_050),
                PieceLimits(announcedBytes: 2_950),
            ]
            var kept = 0
            for (limits, most) in zip(limits, [5, 12, 20, 29]) {
                kept += try await Self.count(stores, 30) { store, _ in
                    var part = PieceSamples.part()
                    part.isComplete = false
                    do {
                        try await store.add(try PieceSamples.piece(parts: [part]), within: limits)
                        return true
                    } catch let error as EarshotError where [.quotaExceeded, .writeFailed].contains(error.code) {
                        return false
                    }
                }
                #expect(kept == most)
            }
            // Drafts without parts count too.
            let drafts = try await Self.count(stores, 30) { store, _ in
                do {
                    try await store.add(try PieceSamples.piece(by: "other"), within: PieceLimits(drafts: 3))
                    return true
                } catch let error as EarshotError where error.code == .quotaExceeded {
                    return false
                }
            }
            #expect(drafts == 3)
        }
    }

    @Test("a name that several nodes give at once belongs to one author, a code that they take to one of them")
    func claims() async throws {
        try await Self.nodes { stores in
            let now = PieceSamples.evening
            for round in 0..<10 {
                let name = try AuthorName("Name \(round)")
                let named = try await Self.count(stores, 6) { store, number in
                    try await store.put(PieceAuthor(id: "\(round).\(number)", name: name, created: now))
                }
                #expect(named == 1)
                let owner = try #require(try await stores[0].author(named: name.key))
                let other = try AuthorName("Other \(round)")
                for id in ["a", "b", "c"].map({ "\(round)\($0)" }) {
                    #expect(try await stores[0].put(PieceAuthor(id: id, name: try AuthorName(id), created: now)))
                }
                let renamed = try await Self.count(stores, 3) { store, number in
                    try await store.updateAuthor("\(round)\(["a", "b", "c"][number])") { $0.name = other } != nil
                }
                #expect(renamed == 1)

                let digest = Data([UInt8(round)])
                let code = LoginCode(digest: digest, client: "c", userCode: "code \(round)", expires: now + 60)
                try await stores[0].put(code)
                let approved = try await Self.count(stores, 6) { store, number in
                    number % 2 == 0
                        ? try await store.approve(userCode: "code \(round)", author: "author \(number)", at: now)
                        : try await store.refuse(userCode: "code \(round)", at: now)
                }
                #expect(approved == 1)
                let isRefused = try #require(try await stores[1].code(digest, client: "c", at: now)).isRefused
                let taken = try await Self.count(stores, 6) { store, _ in
                    try await store.takeCode(digest, client: "c", at: now) != nil
                }
                #expect(taken == (isRefused ? 0 : 1))
                #expect(try await stores[2].removeAuthor(owner.id) == [])
            }
        }
    }

    @Test("an author whom one node removes while others write goes whole")
    func departure() async throws {
        try await Self.nodes { stores in
            for round in 0..<5 {
                let author = "author \(round)"
                let name = try AuthorName("Name \(round)")
                #expect(try await stores[0].put(PieceAuthor(id: author, name: name, created: PieceSamples.evening)))
                var pieces: [PieceRecord] = []
                for number in 0..<12 {
                    var piece = try PieceSamples.piece(by: author, parts: [PieceSamples.part()])
                    if number % 2 == 0 { (piece.state, piece.published) = (.published, PieceSamples.evening) }
                    try await stores[0].add(piece)
                    pieces.append(piece)
                }
                let all = pieces
                let done = try await Self.count(stores, 13) { store, number in
                    if number == 4 { return try await store.removeAuthor(author) != nil }
                    let id = all[number % 12].id
                    if number % 3 == 0 { return try await store.remove(id) != nil }
                    return try await store.update(id) { piece in
                        (piece.state, piece.published) = (.published, PieceSamples.evening)
                        piece.parts.append(PieceSamples.part(.cover))
                    } != nil
                }
                #expect(done > 0)
                let usage = try await stores[0].usage(ofAuthor: author)
                #expect(usage == PieceUsage())
                for piece in try await stores[0].pieces(all.map(\.id)).values { #expect(piece.state == .removed) }
            }
        }
    }

    // MARK: - The database

    @Test("a text that identifies something has no U+0000, and is refused with one error")
    func nul() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLPieceStore(PostgreSQLPool(options))
            let error = await #expect(throws: EarshotError.self) {
                try await store.setAuthor("author", ofUser: "user\u{0}")
            }
            #expect(error?.code == .requestInvalid)
            #expect(try await store.pieces(PieceSearch(words: "\u{0}")).total == 0)
        }
    }

    @Test("many identifiers are read in pages")
    func pages() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            let store = try await PostgreSQLPieceStore(pool)
            _ = try await pool.write { connection in
                try connection.change(
                    """
                    INSERT INTO piece (id, author, state, visibility, begun, words, length, parents, json)
                    SELECT gen_random_uuid()::text, 'author', 'draft', 'listed', number, '', 0, '[]', '{}'
                    FROM generate_series(1, $1) number
                    """,
                    20_001
                )
            }
            #expect(try await store.identifiers([.draft]).count == 20_001)
            #expect(try await store.identifiers([.published]).isEmpty)
        }
    }
}
