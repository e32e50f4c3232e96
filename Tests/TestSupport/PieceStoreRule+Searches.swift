import EarshotCore
import EarshotPieces
import Foundation
import Testing

extension PieceStoreRule {
    // MARK: - Searches

    static let searches: [PieceStoreRule] = [
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

    static let findings: [PieceStoreRule] = [
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
}
