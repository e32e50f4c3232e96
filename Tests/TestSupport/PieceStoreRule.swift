import EarshotCore
package import EarshotPieces
import Foundation
import Testing

/// A rule that every store of pieces keeps: the suite of each store runs all of them.
package struct PieceStoreRule: Sendable, CustomTestStringConvertible {
    let name: String
    let body: @Sendable (any PieceStore) async throws -> Void

    init(name: String, body: @escaping @Sendable (any PieceStore) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The rule in words.
    package var testDescription: String { name }

    /// Holds an empty store against the rule.
    package func check(_ store: any PieceStore) async throws { try await body(store) }

    /// All rules.
    package static let all = pieces + room + departures + relations + searches + findings + accounts + nodes

    /// Keeps a piece and publishes it.
    @discardableResult
    static func publish(
        _ store: any PieceStore,
        _ draft: PieceDraft? = nil,
        by author: String = "author-1",
        visibility: Piece.Visibility = .listed
    ) async throws -> PieceID {
        let piece = try PieceSamples.piece(draft, by: author, visibility: visibility)
        try await store.add(piece)
        try await publish(store, piece.id)
        return piece.id
    }

    static func publish(_ store: any PieceStore, _ id: PieceID) async throws {
        _ = try await store.update(id) { piece in
            piece.state = .published
            piece.published = PieceSamples.evening
        }
    }

    static func refused(_ code: EarshotError.Code, _ body: () async throws -> Void) async {
        let error = await #expect(throws: EarshotError.self) { try await body() }
        #expect(error?.code == code)
    }

    // MARK: - Pieces

    private static let pieces: [PieceStoreRule] = [
        .init(name: "What was never used is empty") { (store: any PieceStore) async throws in
            #expect(try await store.piece(PieceID()) == nil)
            #expect(try await store.pieces(PieceSearch()).pieces.isEmpty)
            #expect(try await store.remove(PieceID()) == nil)
            #expect(try await store.update(PieceID()) { _ in } == nil)
            #expect(try await store.ancestors(of: PieceID(), limit: 10).isEmpty)
            #expect(try await store.unheard(excluding: [], limit: 10).isEmpty)
            #expect(try await store.applications().isEmpty)
            #expect(try await store.identifiers(Set(PieceRecord.State.allCases)).isEmpty)
        },
        .init(name: "A piece comes out as it was put in, with everything that is said of it") {
            (store: any PieceStore) async throws in
            let parent = try await publish(store)
            let parts = [PieceSamples.part(.stem), PieceSamples.part(.cover), PieceSamples.part(.attachment)]
            let piece = try PieceSamples.piece(
                PieceSamples.full(basedOn: [parent]),
                visibility: .unlisted,
                parts: parts
            )
            try await store.add(piece)
            #expect(try await store.piece(piece.id) == piece)
            #expect(try await store.pieces([piece.id, parent, PieceID()]).count == 2)
            #expect(try await store.piece(withPart: parts[1].id) == piece)
            #expect(try await store.piece(withPart: "x") == nil)
            await refused(.pieceInvalid) { try await store.add(piece) }
        },
        .init(name: "A change is made whole or not at all") { (store: any PieceStore) async throws in
            let piece = try PieceSamples.piece(parts: [PieceSamples.part()])
            try await store.add(piece)
            let changed = try await store.update(piece.id) { piece in
                piece.description = "Other words."
                piece.visibility = .private
                piece.parts[0].isComplete = true
            }
            #expect(changed?.description == "Other words." && changed?.part(.stem)?.isComplete == true)
            #expect(try await store.piece(piece.id) == changed)
            await refused(.stemMissing) {
                _ = try await store.update(piece.id) { piece throws(EarshotError) in
                    piece.description = "Lost."
                    throw EarshotError(.stemMissing, "No.")
                }
            }
            #expect(try await store.piece(piece.id) == changed)
        },
        .init(name: "A draft that is removed leaves nothing, a piece its identifier and its relations") {
            (store: any PieceStore) async throws in
            let draft = try PieceSamples.piece(parts: [PieceSamples.part(id: "one")])
            try await store.add(draft)
            #expect(try await store.remove(draft.id) == draft)
            #expect(try await store.piece(draft.id) == nil)
            #expect(try await store.piece(withPart: "one") == nil)

            let parent = try await publish(store)
            let child = try await publish(store, PieceSamples.draft(basedOn: [parent]))
            #expect(try await store.remove(child)?.state == .published)
            #expect(try await store.remove(child) == nil)
            let stub = try #require(try await store.piece(child))
            #expect(stub.state == .removed && stub.draft == nil && stub.parts.isEmpty && stub.description.isEmpty)
            #expect(stub.basedOn == [parent])
            #expect(try await store.update(child) { _ in } == nil)
            #expect(try await store.pieces(PieceSearch()).pieces.map(\.id) == [parent])
            #expect(try await store.identifiers([.removed]) == [child])
            #expect(try await store.identifiers([.published, .draft]) == [parent])
        },
        .init(name: "A piece is removed only if it is as is wanted") { (store: any PieceStore) async throws in
            let piece = try await publish(store)
            #expect(try await store.remove(piece) { $0.state == .draft } == nil)
            #expect(try await store.piece(piece)?.state == .published)
            #expect(try await store.remove(piece) { $0.state == .published } != nil)
            #expect(try await store.piece(piece)?.state == .removed)
        },
        .init(name: "What a piece loses is discarded with the change, until its bytes are gone") {
            (store: any PieceStore) async throws in
            let now = PieceSamples.evening
            func discarded(_ date: Date = now) async throws -> Set<String> {
                Set(try await store.discarded(at: date, limit: 100).map(\.part))
            }
            let parts = ["stem", "cover"].map { PieceSamples.part($0 == "cover" ? .cover : .stem, id: $0) }
            let piece = try PieceSamples.piece(parts: parts)
            try await store.add(piece)
            _ = try await store.update(piece.id) { $0.description = "Other words." }
            #expect(try await discarded().isEmpty)
            // One that is written before its piece knows of it, and is of a piece by the time that it is due.
            let late = DiscardedPart(part: "late", piece: piece.id)
            try await store.discard(late, from: now.addingTimeInterval(10))
            try await store.discard(DiscardedPart(part: "lost", piece: piece.id), from: now.addingTimeInterval(10))
            #expect(try await discarded().isEmpty)
            _ = try await store.update(piece.id) { piece in
                piece.parts.removeAll { $0.kind == .cover }
                piece.parts.append(PieceSamples.part(.cover, id: "late"))
            }
            #expect(try await discarded() == ["cover"])
            #expect(try await discarded(now.addingTimeInterval(10)) == ["cover", "lost"])
            #expect(try await store.discarded(at: now.addingTimeInterval(10), limit: 1).count == 1)
            try await store.disposed(of: [DiscardedPart(part: "cover", piece: piece.id)])
            #expect(try await discarded().isEmpty)
            try await store.remove(piece.id)
            #expect(try await store.discarded(at: now, limit: 100).allSatisfy { $0.piece == piece.id })
            #expect(try await discarded() == ["late", "stem"])

            let published = try PieceSamples.piece(parts: [PieceSamples.part(id: "other")])
            try await store.add(published)
            try await publish(store, published.id)
            try await store.remove(published.id)
            #expect(try await discarded() == ["late", "other", "stem"])
        },
        .init(name: "Which pieces an object store lacks, and how many bytes an author has") {
            (store: any PieceStore) async throws in
            let draft = try PieceSamples.piece(parts: [PieceSamples.part()])
            let piece = try PieceSamples.piece(parts: [PieceSamples.part(), PieceSamples.part(.cover)])
            for piece in [draft, piece] { try await store.add(piece) }
            try await publish(store, piece.id)
            let usage = try await store.usage(ofAuthor: piece.author)
            #expect(usage.authorBytes == 300 && usage.totalBytes == 300)
            #expect(try await store.usage(ofAuthor: "nobody").authorBytes == 0)
            #expect(try await store.pieces(notKeptIn: "one") == [piece.id])
            _ = try await store.update(piece.id) { $0.parts[0].keptIn = "one" }
            #expect(try await store.pieces(notKeptIn: "one") == [piece.id])
            _ = try await store.update(piece.id) { $0.parts[1].keptIn = "one" }
            #expect(try await store.pieces(notKeptIn: "one").isEmpty)
            #expect(try await store.pieces(notKeptIn: "other") == [piece.id])
            #expect(try await store.piece(piece.id)?.parts.map(\.keptIn) == ["one", "one"])
        },
        .init(name: "Drafts that were begun long ago are found") { (store: any PieceStore) async throws in
            let old = try PieceSamples.piece(begun: PieceSamples.evening)
            let new = try PieceSamples.piece(begun: PieceSamples.evening.addingTimeInterval(100))
            try await store.add(new)
            try await store.add(old)
            try await publish(store)
            let end = PieceSamples.evening.addingTimeInterval(50)
            #expect(try await store.drafts(begunBefore: end) == [old.id])
            #expect(try await store.usage(ofAuthor: old.author).drafts == 2)
            #expect(try await store.usage(ofAuthor: "nobody").drafts == 0)
        },
    ]

    // MARK: - Relations

    private static let relations: [PieceStoreRule] = [
        .init(name: "Relations are those of the graph, for any pieces, some of them removed") {
            (store: any PieceStore) async throws in
            let seed = UInt64.random(in: 0...UInt64.max)
            print("relations of pieces: seed \(seed)")
            var random = SeededGenerator(seed: seed)
            var graph = ProvenanceGraph()
            var ids: [PieceID] = []
            for _ in 0..<40 {
                let parents = Array(ids.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
                let id = try await publish(store, PieceSamples.draft(basedOn: parents))
                try graph.add(id, basedOn: parents)
                ids.append(id)
                if Int.random(in: 0..<6, using: &random) == 0, let gone = ids.randomElement(using: &random),
                    graph.contains(gone)
                {
                    try graph.remove(gone)
                    try await store.remove(gone)
                }
            }
            for id in ids {
                for limit in [0, 1, 3, 1_000, .max] {
                    #expect(
                        try await store.ancestors(of: id, limit: limit) == graph.ancestors(of: id, limit: limit),
                        "seed \(seed)"
                    )
                    #expect(
                        try await store.descendants(of: id, limit: limit) == graph.descendants(of: id, limit: limit),
                        "seed \(seed)"
                    )
                }
            }
        },
        .init(name: "Parents are those that were published, and a draft is nobody's child") {
            (store: any PieceStore) async throws in
            let draft = try PieceSamples.piece()
            try await store.add(draft)
            for unknown in [PieceID(), draft.id] {
                await refused(.unknownParent) {
                    try await store.add(PieceSamples.piece(PieceSamples.draft(basedOn: [unknown])))
                }
            }
            let parent = try await publish(store)
            let child = try PieceSamples.piece(PieceSamples.draft(basedOn: [parent]))
            try await store.add(child)
            #expect(try await store.descendants(of: parent, limit: 10).isEmpty)
            // Who began before a parent was removed can finish, and who begins after it can name it.
            try await store.remove(parent)
            try await publish(store, child.id)
            let late = try await publish(store, PieceSamples.draft(basedOn: [child.id, parent]))
            #expect(try await store.descendants(of: parent, limit: 10).map(\.id) == [child.id, late])
            #expect(try await store.ancestors(of: late, limit: 10).map(\.isRemoved) == [false, true])
            #expect(try await store.piece(child.id)?.basedOn == [parent])
        },
    ]
}
