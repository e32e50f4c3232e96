import EarshotCore
package import EarshotPieces
import Foundation
import Testing

extension PieceStoreRule {
    /// Rules of texts that databases treat in their own ways, and of many changes at once.
    static let nodes: [PieceStoreRule] = [
        .init(name: "A description may have any character") { (store: any PieceStore) async throws in
            let piece = try await publish(store)
            let words = "\u{0}\u{1}\u{7f}\u{FFFE}\\u0000 '\"; -- 🦊 %_\n"
            _ = try await store.update(piece) { $0.description = words }
            #expect(try await store.piece(piece)?.description == words)
        },
        .init(name: "A search finds words by their begins, however long, and whatever signs are among them") {
            (store: any PieceStore) async throws in
            let title = String(repeating: "ﬃ", count: PieceDraft.longestTitle)
            let long = try await publish(store, PieceSamples.draft(title))
            let short = try await publish(store, PieceSamples.draft("It's a 2½ & 3²: rail|road"))
            func found(_ words: String) async throws -> [PieceID] {
                try await store.pieces(PieceSearch(words: words)).pieces.map(\.id)
            }
            #expect(try await found(title) == [long])
            #expect(try await found("ffif") == [long])
            #expect(try await found(String(repeating: "ffi", count: 5_000)) == [])
            #expect(try await found(String(repeating: "it ", count: 500)) == [short])
            for words in ["it's", "road' & 'rail", "a:* | x", "2\u{0}", "32 rail", "!a", "\\road"] {
                #expect(try await found(words) == (words == "a:* | x" ? [] : [short]), "\(words)")
            }
        },
        .init(name: "Changes of a piece at the same time are all kept") { (store: any PieceStore) async throws in
            try await changesAtOnce([store])
        },
        .init(name: "Pieces that are published at the same time each take a place of their own") {
            (store: any PieceStore) async throws in
            try await publicationsAtOnce([store])
        },
    ]

    /// Changes one piece in many ways at once, by several stores of one database, and holds the end against what all of them make.
    package static func changesAtOnce(_ stores: [any PieceStore]) async throws {
        let names = (0..<24).map { "part \($0)" }
        let piece = try PieceSamples.piece(
            parts: names.map { name in
                var part = PieceSamples.part(id: name)
                part.isComplete = false
                return part
            }
        )
        try await stores[0].add(piece)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, name) in names.enumerated() {
                let store = stores[number % stores.count]
                group.addTask {
                    _ = try await store.update(piece.id) { piece in
                        if number % 3 == 0 {
                            piece.parts.removeAll { $0.id == name }
                        } else if let place = piece.parts.firstIndex(where: { $0.id == name }) {
                            piece.parts[place].isComplete = true
                        }
                        piece.description += "x"
                    }
                }
            }
            try await group.waitForAll()
        }
        for store in stores {
            let end = try #require(try await store.piece(piece.id))
            #expect(end.description == piece.description + String(repeating: "x", count: 24))
            #expect(end.parts.map(\.id) == names.enumerated().filter { $0.offset % 3 != 0 }.map(\.element))
            #expect(end.parts.allSatisfy { $0.isComplete })
            #expect(try await store.discarded(at: PieceSamples.evening, limit: 100).count == 8)
            let usage = try await store.usage(ofAuthor: piece.author)
            #expect(usage.totalBytes == 1_600 && usage.authorBytes == 1_600 && usage.totalAnnounced == 0)
        }
    }

    /// Publishes many pieces at once that are based on one, by several stores of one database.
    package static func publicationsAtOnce(_ stores: [any PieceStore]) async throws {
        let parent = try await publish(stores[0])
        let ids = try await withThrowingTaskGroup(of: PieceID.self) { group in
            for number in 0..<24 {
                let store = stores[number % stores.count]
                group.addTask { try await publish(store, PieceSamples.draft(basedOn: [parent])) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for store in stores {
            let listed = try await store.pieces(PieceSearch(limit: 100))
            #expect(listed.total == 25 && Set(listed.pieces.map(\.id)) == Set(ids + [parent]))
            // They came in the order of their publication.
            let children = try await store.descendants(of: parent, limit: 100)
            #expect(children.map(\.id) == listed.pieces.reversed().dropFirst().map(\.id))
        }
    }
}
