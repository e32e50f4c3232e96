import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Opening pieces")
struct PieceOpeningTests {
    @Test("Addresses of the app are taken, and no others", .requirements("R-PC-081", "R-PC-082", "R-PC-095"))
    func addresses() async throws {
        try await PieceServiceDouble.with { service in
            let receiver = TestReceiver()
            let client = try await PieceSamples.client(service) { $0.receiver = receiver }
            let piece = service.publish(try PieceSamples.draft(), parts: [])
            for text in [
                "https://music.example/pieces/\(piece.id)", "piece-singer://open?id=\(piece.id)",
                "piece-sketcher://close?id=\(piece.id)", "piece-sketcher://open?id=7", "piece-sketcher://open",
                "piece-sketcher://authorize?code=c&state=s", "piece-sketcher://authorize?state=s", "file:///tmp/a",
            ] {
                let address = try #require(URL(string: text))
                #expect(!client.handle(address), "\(text)")
            }
            #expect(client.nextDraftParents.isEmpty)
            // Another handler may have them: nothing was asked, and nobody told.
            #expect(service.exchanges.isEmpty)
            let own = try #require(client.scheme.address(opening: piece.id))
            #expect(client.handle(own))
            #expect(try await receiver.next()?.get().piece == piece)
            #expect(service.spots == [.tokens, .fetch])
        }
    }

    @Test("Without somebody to take pieces none are opened", .requirements("R-PC-086"))
    func nobody() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            #expect(!client.handle(try #require(client.scheme.address(opening: PieceID()))))
            #expect(service.exchanges.isEmpty)
        }
    }

    @Test("The piece that was dropped is the one that is opened", .requirements("R-PC-083", "R-PC-090", "R-PC-085"))
    func round() async throws {
        try await PieceServiceDouble.with { service in
            let receiver = TestReceiver()
            let client = try await PieceSamples.client(service)
            let providers = TestProviders.all()
            let draft = try PieceSamples.draft()
            let piece = try await client.drop(draft, providers, description: "By night.")
            let other = try await PieceSamples.client(service, account: nil) { configuration in
                configuration.applicationIdentifier = "singer"
                configuration.receiver = receiver
            }
            #expect(other.handle(try #require(other.scheme.address(opening: piece.id))))
            let opened = try #require(try await receiver.next()?.get())
            #expect(opened.piece == piece && opened.id == piece.id)
            #expect(
                DraftForm(
                    title: opened.piece.title,
                    length: opened.piece.length,
                    tempo: opened.piece.tempo,
                    loop: opened.piece.loop,
                    timeSignature: opened.piece.timeSignature,
                    basedOn: opened.piece.basedOn.map(\.description),
                    tonality: opened.piece.tonality
                ) == DraftForm(draft)
            )
            #expect(opened.piece.description == "By night.")
            #expect(try await opened.audio() == PieceSamples.sound(.wave, 3_000))
            #expect(try await opened.audio(kind: .preview) == PieceSamples.sound(.oggVorbis, 2_000))
            #expect(try await opened.cover() == PieceSamples.cover())
            #expect(try await opened.attachment()?.count == 4_000)
            // Whoever has not logged in sends no token.
            #expect(service.exchanges(.audio).allSatisfy { $0.headers["authorization"] == nil })
        }
    }

    @Test("What cannot be opened is told with its reason, once", .requirements("R-PC-084", "R-PC-085"))
    func failures() async throws {
        try await PieceServiceDouble.with { service in
            let receiver = TestReceiver()
            let client = try await PieceSamples.client(service) { $0.receiver = receiver }
            let piece = service.publish(try PieceSamples.draft(), parts: [])
            func failure(_ id: PieceID) async throws -> EarshotError? {
                #expect(client.handle(try #require(client.scheme.address(opening: id))))
                guard case .failure(let error) = await receiver.next() else { return nil }
                return error
            }
            #expect(try await failure(PieceID())?.code == .pieceNotFound)
            service.remove(piece.id)
            #expect(try await failure(piece.id)?.code == .pieceNotFound)
            // A page of somebody between says nothing of pieces.
            service.fail(.fetch, .answer(status: 410, body: Data("<html>".utf8)))
            #expect(try await failure(piece.id)?.code == .pieceNotFound)
            #expect(client.nextDraftParents.isEmpty)
            await service.stop()
            service.failAlways(.fetch, .ignored)
            #expect(try await failure(piece.id)?.code == .networkUnavailable)
        }
    }

    @Test("A piece that is opened is suggested as what the next is based on", .requirements("R-PC-097"))
    func suggested() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let pieces = try (0..<2).map { _ in service.publish(try PieceSamples.draft(), parts: []) }
            for piece in pieces + pieces { _ = try await client.open(piece.id) }
            _ = try await client.fetch(pieces[0].id)
            #expect(client.nextDraftParents == pieces.map(\.id))
            let draft = try PieceSamples.draft(basedOn: client.nextDraftParents)
            #expect(try await client.drop(draft, TestProviders()).basedOn == pieces.map(\.id))
            // The draft after that begins anew.
            #expect(client.nextDraftParents.isEmpty)
        }
    }

    @Test("A piece that lacks something is refused, and more than is known is passed over", .requirements("R-PC-092"))
    func fields() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let piece = service.publish(try PieceSamples.draft(), parts: [])
            let data = PieceServiceDouble.json(piece).body
            var fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            for field in [
                "id", "title", "description", "createdAt", "address", "author", "length", "basedOn", "tonality",
            ] {
                let rest = try JSONSerialization.data(withJSONObject: fields.filter { $0.key != field })
                service.fail(.fetch, .answer(status: 200, body: rest))
                let error = await #expect(throws: EarshotError.self) { try await client.fetch(piece.id) }
                #expect(error?.code == .malformedResponse, "\(field)")
            }
            fields["mood"] = ["calm": true]
            service.fail(.fetch, .answer(status: 200, body: try JSONSerialization.data(withJSONObject: fields)))
            #expect(try await client.fetch(piece.id) == piece)
            // Another piece than was asked for is none.
            let error = await #expect(throws: EarshotError.self) {
                service.fail(.fetch, .answer(status: 200, body: data))
                return try await client.fetch(PieceID())
            }
            #expect(error?.code == .malformedResponse)
        }
    }

    @Test(
        "A piece with figures that no piece can have is refused",
        .requirements("R-PC-092"),
        arguments: [
            ("tempo", "1e300"), ("tempo", "0.5"), ("length", "0"), ("length", "-1"), ("length", "1200000001"),
            ("loop", #"{"start": 5, "end": 5}"#), ("loop", #"{"start": 0, "end": 9000000000}"#),
            ("timeSignature", #"{"upper": 0, "lower": 4}"#),
        ]
    )
    func figures(field: String, value: String) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let piece = service.publish(try PieceSamples.draft(), parts: [])
            let data = PieceServiceDouble.json(piece).body
            var fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            fields[field] = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
            service.fail(.fetch, .answer(status: 200, body: try JSONSerialization.data(withJSONObject: fields)))
            let error = await #expect(throws: EarshotError.self) { try await client.fetch(piece.id) }
            #expect(error?.code == .malformedResponse)
        }
    }

    @Test("Pieces are looked for, changed and removed")
    func pieces() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let first = service.publish(try PieceSamples.draft(), parts: [])
            let second = service.publish(try PieceSamples.draft(basedOn: [first.id]), parts: [], visibility: .private)
            let third = service.publish(try PieceSamples.draft(basedOn: [second.id]), parts: [], owner: "somebody")
            var query = PieceQuery("Lantern")
            query.author = "me"
            query.key = "A minor"
            query.includesCompatibleKeys = true
            query.tempo = 100...120.5
            query.minLength = 1
            query.maxLength = 60_000_000
            query.basedOn = first.id
            query.limit = 5
            let page = try await client.search(query)
            #expect(Set(page.pieces.map(\.id)) == [first.id, second.id])
            #expect(
                service.exchanges(.search).first?.query == [
                    "q": "Lantern", "author": "me", "key": "A minor", "compatible": "1", "tempo": "100-120.5",
                    "minLength": "1", "maxLength": "60000000", "basedOn": "\(first.id)", "limit": "5",
                ]
            )
            let up = try await client.ancestors(of: third.id, limit: 9)
            #expect(up.relatives.map(\.id) == [second.id, first.id] && up.relatives.map(\.distance) == [1, 2])
            #expect(try await client.descendants(of: first.id).relatives.map(\.id) == [second.id, third.id])
            #expect(try await client.findings(of: first.id).isComplete)
            let changed = try await client.change(first.id, PieceChange(title: "Other", visibility: .unlisted))
            #expect(changed.title == "Other" && changed.visibility == .unlisted)
            try await client.setCover(of: first.id, try CoverImage(PieceSamples.cover()))
            try await client.remove(first.id)
            let gone = await #expect(throws: EarshotError.self) { try await client.fetch(first.id) }
            #expect(gone?.code == .pieceNotFound)
            let foreign = await #expect(throws: EarshotError.self) { try await client.remove(third.id) }
            #expect(foreign?.code == .accessDenied)
            try await client.logOut()
            let nobody = await #expect(throws: EarshotError.self) { try await client.remove(second.id) }
            #expect(nobody?.code == .accessDenied)
            let hidden = await #expect(throws: EarshotError.self) { try await client.fetch(second.id) }
            #expect(hidden?.code == .pieceNotFound)
        }
    }
}
