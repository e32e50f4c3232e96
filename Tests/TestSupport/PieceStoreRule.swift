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

    // MARK: - Searches

    private static let searches: [PieceStoreRule] = [
        .init(name: "Pieces are found by what is said of them, the one published last first") {
            (store: any PieceStore) async throws in
            let rail = try await publish(
                store,
                PieceSamples.draft("Morning Rail", length: 10_000_000, tempo: 120, tonality: .minor(.a))
            )
            let fox = try await publish(
                store,
                PieceSamples.draft("Mörning 錫の狐", length: 20_000_000, tempo: 90.5, tonality: .major(.c)),
                by: "author-2"
            )
            let drum = try await publish(
                store,
                PieceSamples.draft("Drums (rail 2)", length: 30_000_000, tonality: .atonal, basedOn: [rail])
            )
            func found(_ query: PieceSearch) async throws -> [PieceID] {
                try await store.pieces(query).pieces.map(\.id)
            }
            #expect(try await found(PieceSearch()) == [drum, fox, rail])
            #expect(try await found(PieceSearch(words: "RAIL")) == [drum, rail])
            #expect(try await found(PieceSearch(words: "rai morn")) == [rail])
            #expect(try await found(PieceSearch(words: "morning")) == [fox, rail])
            #expect(try await found(PieceSearch(words: "狐")) == [fox])
            #expect(try await found(PieceSearch(words: "ail")) == [])
            #expect(try await found(PieceSearch(words: "%_'\"")) == [drum, fox, rail])
            #expect(try await found(PieceSearch(author: "author-2")) == [fox])
            #expect(try await found(PieceSearch(keys: [.minor(.a)])) == [rail])
            #expect(try await found(PieceSearch(keys: [.minor(.a), .major(.c)])) == [fox, rail])
            #expect(try await found(PieceSearch(keys: [.atonal])) == [drum])
            #expect(try await found(PieceSearch(keys: [.unknown])) == [])
            #expect(try await found(PieceSearch(keys: [])) == [])
            #expect(try await found(PieceSearch(tempo: 90.5...120)) == [fox, rail])
            #expect(try await found(PieceSearch(tempo: 100...110)) == [])
            #expect(try await found(PieceSearch(shortest: 20_000_000)) == [drum, fox])
            #expect(try await found(PieceSearch(longest: 20_000_000)) == [fox, rail])
            #expect(try await found(PieceSearch(basedOn: rail)) == [drum])
            let page = try await store.pieces(PieceSearch(offset: 1, limit: 1))
            #expect(page.pieces.map(\.id) == [fox] && page.total == 3)
        },
        .init(name: "Who may see a piece decides where it is found") { (store: any PieceStore) async throws in
            let listed = try await publish(store)
            let unlisted = try await publish(store, visibility: .unlisted)
            let hidden = try await publish(store, visibility: .private)
            try await store.add(PieceSamples.piece())
            #expect(try await store.pieces(PieceSearch()).pieces.map(\.id) == [listed])
            let all = Set(Piece.Visibility.allCases)
            #expect(
                try await store.pieces(PieceSearch(visibilities: all)).pieces.map(\.id) == [hidden, unlisted, listed]
            )
            #expect(try await store.pieces(PieceSearch(visibilities: [])).total == 0)
        },
    ]

    // MARK: - Findings

    private static let findings: [PieceStoreRule] = [
        .init(name: "What was heard is kept until the piece is removed") { (store: any PieceStore) async throws in
            let first = try await publish(store)
            let second = try await publish(store)
            func unheard(excluding pieces: Set<PieceID> = [], limit: Int = 10) async throws -> [PieceID] {
                try await store.unheard(excluding: pieces, limit: limit).map(\.piece)
            }
            #expect(try await unheard() == [first])
            #expect(try await store.heard().isEmpty)
            #expect(try await unheard(excluding: [first]) == [second])
            let other = try await publish(store, by: "author-2")
            #expect(try await unheard() == [first, other])
            #expect(try await unheard(excluding: [first]) == [second, other])
            #expect(try await unheard(limit: 1) == [first])
            #expect(try await store.unheard(excluding: [], limit: 10).map(\.author) == ["author-1", "author-2"])
            try await store.remove(other)
            try await store.setFindings(Data("a".utf8), isQuoting: true, of: first)
            try await store.setFindings(Data("b".utf8), isQuoting: false, of: PieceID())
            #expect(try await store.findings(of: first) == Data("a".utf8))
            #expect(try await store.findings(of: second) == nil)
            #expect(try await unheard() == [second])
            #expect(try await store.heard() == [first])
            #expect(try await store.pieces(PieceSearch(isQuoting: true)).pieces.map(\.id) == [first])
            #expect(try await store.pieces(PieceSearch(isQuoting: false)).pieces.map(\.id) == [second])
            try await store.remove(first)
            #expect(try await store.findings(of: first) == nil)
            try await store.setFindings(Data(), isQuoting: false, of: first)
            #expect(try await store.findings(of: first) == nil)
            try await store.setFindings(Data(), isQuoting: false, of: second)
            #expect(try await store.findings(of: second) == Data())
            #expect(try await store.heard() == [second])
            try await store.setFindings(nil, isQuoting: false, of: second)
            #expect(try await unheard() == [second])
            #expect(try await store.heard().isEmpty)
        }
    ]

    // MARK: - Authors, apps and codes

    private static func author(_ id: String, _ name: String) throws -> PieceAuthor {
        PieceAuthor(id: id, name: try AuthorName(name), password: Data([1, 2]), created: PieceSamples.evening)
    }

    private static let accounts: [PieceStoreRule] = [
        .init(name: "A name belongs to one author, whatever its letter case") { (store: any PieceStore) async throws in
            var one = try author("one", "Ada Ünal")
            #expect(try await store.put(one))
            #expect(try await store.put(try author("two", "ada ÜNAL")) == false)
            #expect(try await store.author(named: AuthorName.key(of: "ADA ÜNAL")) == one)
            one.name = try AuthorName("ADA ünal")
            one.password = nil
            #expect(try await store.put(one))
            #expect(try await store.author("one") == one)
            #expect(try await store.author("two") == nil)
            #expect(try await store.put(try author("two", "Grace")))
            #expect(try await store.authors(["one", "two", "three"]).count == 2)
            one.name = try AuthorName("grace")
            #expect(try await store.put(one) == false)
            try await store.setAuthor("one", ofUser: "u")
            #expect(try await store.author(ofUser: "u")?.id == "one")
            try await store.setAuthor("two", ofUser: "u")
            #expect(try await store.author(ofUser: "u")?.id == "two")
            #expect(try await store.author(ofUser: "v") == nil)
        },
        .init(name: "Of many who add a user to an author whose users they know one does") {
            (store: any PieceStore) async throws in
            #expect(try await store.put(try author("one", "Ada")))
            try await store.setAuthor("one", ofUser: "old")
            func added(_ known: [String]) async throws -> [String] {
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for number in 0..<12 {
                        group.addTask {
                            let user = "\(known.count)-\(number)"
                            return try await store.addUser(user, toAuthor: "one", whoHas: known) ? user : nil
                        }
                    }
                    return try await group.reduce(into: []) { if let user = $1 { $0.append(user) } }
                }
            }
            #expect(try await added([]).isEmpty)
            let first = try await added(["old"])
            #expect(first.count == 1)
            #expect(try await store.users(ofAuthor: "one") == (first + ["old"]).sorted())
            #expect(try await added(["old"]).isEmpty)
            #expect(try await added((first + ["old"]).sorted()).count == 1)
            let error = await #expect(throws: EarshotError.self) {
                try await store.addUser("u", toAuthor: "nobody", whoHas: [])
            }
            #expect(error?.code == .entityNotFound)
            #expect(try await store.author(ofUser: "u") == nil)
        },
        .init(name: "Apps are kept by their identifiers") { (store: any PieceStore) async throws in
            var app = PieceApplication(
                id: "sketcher",
                name: "Sketcher",
                site: URL(string: "https://a.example"),
                client: "1"
            )
            try await store.put(PieceApplication(id: "take", name: "Take", client: "2"))
            try await store.put(app)
            app.name = "Sketcher 2"
            try await store.put(app)
            #expect(try await store.applications().map(\.name) == ["Sketcher 2", "Take"])
            #expect(try await store.application("sketcher") == app)
            #expect(try await store.removeApplication("take"))
            #expect(try await store.removeApplication("take") == false)
        },
        .init(name: "Changes of an author at the same time are all kept, and a name that is taken changes nothing") {
            (store: any PieceStore) async throws in
            var ada = try author("one", "Ada")
            ada.password = Data()
            #expect(try await store.put(ada))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in UInt8(0)..<20 {
                    group.addTask { _ = try await store.updateAuthor("one") { $0.password?.append(number) } }
                }
                try await group.waitForAll()
            }
            #expect(try await store.author("one")?.password.map(Set.init) == Set(0..<20))
            #expect(try await store.put(try author("two", "Grace")))
            let name = try AuthorName("GRACE")
            let taken = try await store.updateAuthor("one") { author in
                author.name = name
                author.password = nil
            }
            #expect(taken == nil)
            #expect(try await store.author("one")?.password?.count == 20)
            await refused(.entityNotFound) { _ = try await store.updateAuthor("three") { $0.password = nil } }
        },
        .init(name: "The codes of an author are forgotten together, those of others stay") {
            (store: any PieceStore) async throws in
            let now = Date(timeIntervalSince1970: 100)
            for (number, author) in ["one", "one", "two"].enumerated() {
                let digest = Data([UInt8(number)])
                try await store.put(LoginCode(digest: digest, client: "c", author: author, expires: now + 1))
            }
            try await store.removeCodes(ofAuthor: "one")
            #expect(try await store.code(Data([0]), client: "c", at: now) == nil)
            #expect(try await store.code(Data([1]), client: "c", at: now) == nil)
            #expect(try await store.code(Data([2]), client: "c", at: now)?.author == "two")
        },
        .init(name: "A code works once, for its client, until it expires") { (store: any PieceStore) async throws in
            let now = PieceSamples.evening
            let code = LoginCode(
                digest: Data([1]),
                client: "c",
                author: "one",
                expires: now.addingTimeInterval(300)
            )
            try await store.put(code)
            #expect(try await store.code(Data([1]), client: "c", at: now) == code)
            #expect(try await store.takeCode(Data([1]), client: "d", at: now) == nil)
            #expect(try await store.takeCode(Data([1]), client: "c", at: now.addingTimeInterval(300)) == nil)
            #expect(try await store.takeCode(Data([1]), client: "c", at: now) == code)
            #expect(try await store.takeCode(Data([1]), client: "c", at: now) == nil)
        },
        .init(name: "A code keeps its challenge, or that it has none") { (store: any PieceStore) async throws in
            let now = PieceSamples.evening
            for challenge in ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", nil] {
                let code = LoginCode(
                    digest: Data([3]),
                    client: "c",
                    author: "one",
                    challenge: challenge,
                    expires: now.addingTimeInterval(300)
                )
                // In place of another of the same digest.
                try await store.put(LoginCode(digest: Data([3]), client: "c", challenge: "other", expires: now))
                try await store.put(code)
                #expect(try await store.code(Data([3]), client: "c", at: now) == code)
                let taken = try #require(try await store.takeCode(Data([3]), client: "c", at: now))
                #expect(taken == code && taken.challenge == challenge)
            }
        },
        .init(name: "A device's code is good when somebody has logged in for it") {
            (store: any PieceStore) async throws in
            let now = PieceSamples.evening
            let code = LoginCode(
                digest: Data([2]),
                client: "c",
                userCode: "BCDF-GHJK",
                expires: now.addingTimeInterval(900)
            )
            try await store.put(code)
            #expect(try await store.takeCode(Data([2]), client: "c", at: now) == nil)
            #expect(try await store.code(Data([2]), client: "c", at: now) == code)
            #expect(try await store.approve(userCode: "XXXX-XXXX", author: "one", at: now) == false)
            let late = now.addingTimeInterval(901)
            #expect(try await store.approve(userCode: "BCDF-GHJK", author: "one", at: late) == false)
            #expect(try await store.approve(userCode: "BCDF-GHJK", author: "one", at: now))
            #expect(try await store.approve(userCode: "BCDF-GHJK", author: "two", at: now) == false)
            try await store.removeCodes(expiredBy: now)
            #expect(try await store.takeCode(Data([2]), client: "c", at: now)?.author == "one")
            try await store.put(code)
            #expect(try await store.waitingCode(userCode: "BCDF-GHJK", at: now) == code)
            #expect(try await store.waitingCode(userCode: "BCDF-GHJK", at: late) == nil)
            #expect(try await store.waitingCode(userCode: "XXXX-XXXX", at: now) == nil)
            #expect(try await store.refuse(userCode: "XXXX-XXXX", at: now) == false)
            #expect(try await store.refuse(userCode: "BCDF-GHJK", at: late) == false)
            #expect(try await store.refuse(userCode: "BCDF-GHJK", at: now))
            #expect(try await store.refuse(userCode: "BCDF-GHJK", at: now) == false)
            #expect(try await store.waitingCode(userCode: "BCDF-GHJK", at: now) == nil)
            #expect(try await store.approve(userCode: "BCDF-GHJK", author: "one", at: now) == false)
            #expect(try await store.code(Data([2]), client: "c", at: now)?.isRefused == true)
            #expect(try await store.takeCode(Data([2]), client: "c", at: now) == nil)
            try await store.removeCodes(expiredBy: late)
            #expect(try await store.code(Data([2]), client: "c", at: now) == nil)
        },
    ]
}
