import EarshotCore
import EarshotPieces
import Foundation
import Testing

extension PieceStoreRule {
    /// How much room pieces may take.
    static let room: [PieceStoreRule] = [
        .init(name: "Of many pieces that are added at once, no more are kept than may be") {
            (store: any PieceStore) async throws in
            // Each has a part of 100 bytes.
            let limits: [(PieceLimits, EarshotError.Code)] = [
                (PieceLimits(drafts: 5), .quotaExceeded), (PieceLimits(authorBytes: 1_299), .quotaExceeded),
                (PieceLimits(totalBytes: 2_050), .writeFailed), (PieceLimits(announcedBytes: 2_950), .writeFailed),
            ]
            for (limits, code) in limits {
                await add(40, to: store, within: limits, code)
            }
            let usage = try await store.usage(ofAuthor: "author-1")
            #expect(usage.drafts == 29 && usage.totalBytes == 2_900 && usage.totalAnnounced == 2_900)
        },
        .init(name: "Whoever announces all that may be does not keep others out, who have an equal share") {
            (store: any PieceStore) async throws in
            let limits = PieceLimits(announcedBytes: 1_000)
            await add(40, to: store, within: limits, .writeFailed)
            #expect(try await store.usage(ofAuthor: "author-1").authorAnnounced == 1_000)
            // Two share 1,000 bytes.
            for _ in 0..<5 { try await store.add(try piece(by: "author-2"), within: limits) }
            await refused(.writeFailed) { try await store.add(try piece(by: "author-2"), within: limits) }
            // What is sent is not announced any more.
            let sent = try piece(by: "author-1")
            await refused(.writeFailed) { try await store.add(sent, within: limits) }
            for piece in try await store.pieces(try await store.drafts(begunBefore: .distantFuture)).values {
                _ = try await store.update(piece.id) { $0.parts[0].isComplete = true }
            }
            try await store.add(sent, within: limits)
            let usage = try await store.usage(ofAuthor: "author-1")
            #expect(usage.authorAnnounced == 100 && usage.announcers == 1 && usage.totalBytes == 1_600)
        },
        .init(name: "A change that takes more room than there may be is undone, one that takes none is not looked at") {
            (store: any PieceStore) async throws in
            let id = try await publish(store)
            let (cover, limits) = (PieceSamples.part(.cover), PieceLimits(authorBytes: 99))
            await refused(.quotaExceeded) {
                _ = try await store.update(id, within: limits) { piece in
                    piece.description = "with a cover"
                    piece.parts.append(cover)
                }
            }
            #expect(try await store.piece(id)?.description == "Words.")
            #expect(try await store.usage(ofAuthor: "author-1").totalBytes == 0)
            _ = try await store.update(id, within: PieceLimits(authorBytes: 100)) { $0.parts.append(cover) }
            _ = try await store.update(id, within: PieceLimits(authorBytes: 1)) { $0.description = "smaller" }
            #expect(try await store.piece(id)?.description == "smaller")
            try await store.remove(id)
            #expect(try await store.usage(ofAuthor: "author-1").totalBytes == 0)
        },
    ]

    /// How an author goes.
    static let departures: [PieceStoreRule] = [
        .init(name: "An author goes with all pieces, users and codes, and nobody else's") {
            (store: any PieceStore) async throws in
            for (id, name) in [("author-1", "Ada"), ("author-2", "Grace")] {
                let author = PieceAuthor(id: id, name: try AuthorName(name), created: PieceSamples.evening)
                #expect(try await store.put(author))
                try await store.setAuthor(id, ofUser: "user of \(id)")
                try await store.setAuthor(id, ofUser: "other user of \(id)")
                let code = LoginCode(
                    digest: Data(id.utf8),
                    client: "app",
                    author: id,
                    expires: PieceSamples.evening.addingTimeInterval(60)
                )
                try await store.put(code)
            }
            let published = try await publish(store)
            let child = try await publish(store, try PieceSamples.draft(basedOn: [published]), by: "author-2")
            let draft = try piece(by: "author-1")
            try await store.add(draft)
            #expect(try await store.removeAuthor("nobody") == nil)
            #expect(try await store.removeAuthor("author-1").map { Set($0) } == [published, draft.id])
            #expect(try await store.removeAuthor("author-1") == nil)
            #expect(try await store.piece(published)?.state == .removed)
            #expect(try await store.piece(draft.id) == nil)
            #expect(try await store.piece(child)?.state == .published)
            #expect(try await store.ancestors(of: child, limit: 10).map(\.isRemoved) == [true])
            #expect(try await store.discarded(at: PieceSamples.evening, limit: 10).map(\.part) == draft.parts.map(\.id))
            #expect(try await store.usage(ofAuthor: "author-1") == PieceUsage())
            for (id, isThere) in [("author-1", false), ("author-2", true)] {
                #expect((try await store.author(id) != nil) == isThere)
                #expect((try await store.author(ofUser: "user of \(id)") != nil) == isThere)
                #expect((try await store.author(ofUser: "other user of \(id)") != nil) == isThere)
                let code = try await store.takeCode(Data(id.utf8), client: "app", at: PieceSamples.evening)
                #expect((code != nil) == isThere)
            }
            try await store.setAuthor(nil, ofUser: "user of author-2")
            #expect(try await store.author(ofUser: "user of author-2") == nil)
            #expect(try await store.author(ofUser: "other user of author-2")?.id == "author-2")
        }
    ]

    /// A draft with a part of 100 bytes on its way.
    private static func piece(by author: String) throws -> PieceRecord {
        var part = PieceSamples.part()
        part.isComplete = false
        return try PieceSamples.piece(by: author, parts: [part])
    }

    /// Adds so many pieces of an author at the same time; what is refused has a code.
    private static func add(
        _ count: Int,
        to store: any PieceStore,
        within limits: PieceLimits,
        _ code: EarshotError.Code
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do {
                        try await store.add(try piece(by: "author-1"), within: limits)
                    } catch {
                        #expect((error as? EarshotError)?.code == code)
                    }
                }
            }
        }
    }
}
