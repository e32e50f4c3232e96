import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotPieces
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Pieces over HTTP")
struct PieceRouteTests {
    @Test(
        "what is said of a piece comes back, with both names of its key",
        .requirements("R-PC-052", "R-PC-091", "R-PC-096")
    )
    func roundTrip() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada Ünal")
            let parents = [
                try await service.drop(token: token).id, try await service.drop(token: token).id,
            ]
            let form = DraftForm(
                title: "  Ünïcode 錫の狐 🦊 ",
                length: 2_000_000,
                tempo: FixedTempo(120.0006),
                loop: LoopMarkers(start: 0, end: 500_000),
                timeSignature: TimeSignature(upper: 8, lower: 4),
                basedOn: parents.reversed().map(\.description),
                tonality: .tonal(ScaleMask(rawValue: 2477), root: .c)
            )
            let dropped = try await service.drop(form, description: "Words <b>&\n", token: token)
            let reply = try await service.ask(.GET, "/v1/pieces/\(dropped.id)")
            let piece = try reply.decoded(Piece.self)
            #expect(piece == dropped)
            let draft = try form.draft()
            #expect(piece.title == draft.title && piece.length == draft.length && piece.tempo == draft.tempo)
            #expect(piece.loop == draft.loop && piece.timeSignature == draft.timeSignature)
            #expect(piece.tonality == draft.tonality && piece.basedOn == [parents[1], parents[0]])
            #expect(piece.label == "C harmonic minor" && piece.legacyLabel == "Exotic")
            #expect(piece.description == "Words <b>&\n" && piece.author == "Ada Ünal")
            #expect(piece.createdAt == service.time.now)
            #expect(piece.address.absoluteString == "\(service.base)/pieces/\(piece.id)")
            #expect(!piece.hasCover && !piece.hasPreview && piece.attachmentName == nil)
        }
    }

    @Test("an author has only so many drops under way, and goes on with those")
    func draftLimit() async throws {
        var settings = ServiceSettings()
        settings.pieceDrafts = 2
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let other = try await service.author("Grace")
            var form = DraftForm(title: "One", length: 2_000_000)
            form.id = PieceID()
            #expect(try await service.begin(form, [.stem()], token: token).status == 201)
            let second = try await service.begin([.stem()], token: token).decoded(PieceCreated.self)
            let third = try await service.begin([.stem()], token: token)
            #expect(third.status == 429 && third.code == "quotaExceeded")
            // One that has begun is begun again, others are not in the way of it, and one that is given up makes room.
            #expect(try await service.begin(form, [.stem()], token: token).status == 201)
            #expect(try await service.begin([.stem()], token: other).status == 201)
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(second.id)", token: token).status == 204)
            #expect(try await service.begin([.stem()], token: token).status == 201)
        }
    }

    @Test(
        "a draft with faults is refused with all of them, by the codes of drafts",
        .requirements("R-PC-080"),
        arguments: [
            (DraftForm(title: "", length: 1), [DraftViolation.Code.titleTooShort]),
            (DraftForm(title: String(repeating: "🦊", count: 51), length: 1), [.titleTooLong]),
            (DraftForm(title: "a\u{7}b", length: 1), [.titleInvalid]),
            (DraftForm(title: "a", length: 0), [.pieceTooShort]),
            (DraftForm(title: "a", length: 1_200_000_001), [.pieceTooLong]),
            (DraftForm(title: "a", length: 1, tempo: FixedTempo(0.999)), [.tempoTooLow]),
            (DraftForm(title: "a", length: 1, tempo: FixedTempo(1_000)), [.tempoTooHigh]),
            (
                DraftForm(title: "a", length: 9, loop: LoopMarkers(start: 5, end: 0)), [.invalidLoopMarkers]
            ),
            (
                DraftForm(title: "a", length: 9, timeSignature: TimeSignature(upper: 17, lower: 4)),
                [.invalidTimeSignature]
            ),
            (DraftForm(title: "a", length: 9, basedOn: ["x"]), [.invalidProvenance]),
            (
                DraftForm(title: "a", length: 9, tonality: .tonal(ScaleMask(rawValue: 0), root: .c)), [.emptyScale]
            ),
            (
                DraftForm(title: "", length: -1, tempo: FixedTempo(0)), [.titleTooShort, .pieceTooShort, .tempoTooLow]
            ),
        ]
    )
    func violations(form: DraftForm, codes: [DraftViolation.Code]) async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let reply = try await service.begin(form, [.stem()], token: token)
            #expect(reply.status == 422)
            let failure = try reply.decoded(Failure.self)
            #expect(failure.error.code == "pieceInvalid")
            #expect(failure.error.violations?.map(\.code) == codes)
        }
    }

    @Test(
        "a key in no known form is told with all else that is wrong",
        .requirements("R-PC-080"),
        arguments: [
            #""A minor""#, #"{"state": "loud"}"#, #"{"state": "tonal", "root": 0}"#,
            #"{"state": "tonal", "scale": [true], "root": 0}"#,
            #"{"state": "tonal", "scale": [1,0,1,0,1,1,0,1,0,1,0,1], "root": 0}"#,
            """
            {"state": "tonal", "root": 12,
             "scale": [true,false,true,false,true,true,false,true,false,true,false,true]}
            """,
        ]
    )
    func keyForms(tonality: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            for title in ["", "a"] {
                let body = #"{"title": "\#(title)", "length": 9, "tonality": \#(tonality), "parts": []}"#
                let reply = try await service.ask(
                    .POST,
                    "/v1/pieces",
                    token: token,
                    type: "application/json",
                    body: Data(body.utf8)
                )
                #expect(reply.status == 422)
                let failure = try reply.decoded(Failure.self).error
                #expect(failure.code == "pieceInvalid")
                #expect(
                    failure.violations?.map(\.code)
                        == (title.isEmpty ? [.titleTooShort, .invalidTonality] : [.invalidTonality])
                )
            }
        }
    }

    @Test("a stem that is not complete keeps a piece from being published", .requirements("R-PC-079"))
    func stemMissing() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let none = try await service.begin([], token: token).decoded(PieceCreated.self)
            let refused = try await service.publish(none.id, token: token)
            #expect(refused.status == 409 && refused.code == "stemMissing")

            let parts = [TestService.Part.stem(), TestService.Part(.attachment, Data("abc".utf8), fileName: "a.xyz")]
            let created = try await service.begin(parts, token: token).decoded(PieceCreated.self)
            #expect(try await service.publish(created.id, token: token).code == "stemMissing")
            _ = try await service.send(parts[0].data, to: created.uploads[0], token: token)
            let incomplete = try await service.publish(created.id, token: token)
            #expect(incomplete.status == 409 && incomplete.code == "uploadFailed")
            _ = try await service.send(parts[1].data, to: created.uploads[1], token: token)
            let first = try await service.publish(created.id, token: token)
            #expect(first.status == 200)
            service.time.advance(10)
            #expect(try await service.publish(created.id, token: token).bytes == first.bytes)
        }
    }

    @Test("a drop that is given up leaves nothing", .requirements("R-PC-077"))
    func givenUp() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let part = TestService.Part.stem()
            let created = try await service.begin([part], token: token).decoded(PieceCreated.self)
            _ = try await service.send(part.data, to: created.uploads[0], token: token)
            #expect(service.pieceFiles.count == 2)
            // What is not published is seen by nobody.
            #expect(try await service.ask(.GET, "/v1/pieces/\(created.id)", token: token).status == 404)
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(created.id)", token: token).status == 204)
            #expect(try await service.ask(.GET, "/v1/pieces/\(created.id)", token: token).status == 404)
            #expect(try await service.ask(.GET, "/v1/uploads/\(created.uploads[0].id)", token: token).status == 404)
            #expect(
                try await service.ask(.GET, "/v1/pieces?author=me", token: token).decoded(PiecePage.self).total == 0
            )
            #expect(service.pieceFiles.isEmpty)
        }
    }

    @Test("a drop that nobody finishes within a day is given up, and what was published stays")
    func abandoned() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let kept = try await service.drop(token: token)
            let part = TestService.Part.stem()
            let created = try await service.begin([part], token: token).decoded(PieceCreated.self)
            _ = try await service.send(part.data.prefix(100), to: created.uploads[0], token: token)
            try await service.server.pieces.performMaintenance(at: service.time.now.addingTimeInterval(86_000))
            #expect(try await service.server.pieces.store.piece(created.id) != nil)
            try await service.server.pieces.performMaintenance(at: service.time.now.addingTimeInterval(86_401))
            #expect(try await service.server.pieces.store.piece(created.id) == nil)
            #expect(service.pieceFiles.allSatisfy { $0.hasPrefix(kept.id.description) })
            #expect(try await service.ask(.GET, "/v1/pieces/\(kept.id)").status == 200)
        }
    }

    @Test("a removed piece is gone with its files, and said to be")
    func removal() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let cover = TestService.Part(.cover, try TestMusic.picture(640, 640))
            let piece = try await service.drop(
                DraftForm(title: "A", length: 2_000_000),
                [.stem(), cover],
                token: token
            )
            _ = try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio?format=ogg")
            #expect(service.pieceFiles.count == 4)
            for url in service.pieceFiles {
                let path = service.folder.appendingPathComponent("pieces").appendingPathComponent(url).path
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == (url.contains("/") ? 0o600 : 0o700))
            }
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(piece.id)", token: token).status == 204)
            #expect(service.pieceFiles.isEmpty)
            for path in ["", "/audio", "/cover", "/attachment", "/ancestors", "/findings"] {
                let reply = try await service.ask(.GET, "/v1/pieces/\(piece.id)\(path)", token: token)
                #expect(reply.status == 410 && reply.code == "pieceNotFound", "\(path)")
            }
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(piece.id)", token: token).status == 410)
            #expect(try await service.ask(.GET, "/v1/pieces").decoded(PiecePage.self).total == 0)
        }
    }

    @Test("a parent that is not there is refused, and so is one that may not be seen", .requirements("R-PC-098"))
    func unknownParent() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let hidden = try await service.drop(visibility: .private, token: token)
            let other = try await service.author("Grace")
            for parent in [PieceID(), hidden.id] {
                let form = DraftForm(title: "A", length: 1, basedOn: [parent.description])
                let reply = try await service.begin(form, [.stem()], token: other)
                #expect(reply.status == 422 && reply.code == "unknownParent")
            }
            let form = DraftForm(title: "A", length: 2_000_000, basedOn: [hidden.id.description])
            #expect(try await service.begin(form, [.stem()], token: token).status == 201)
        }
    }

    @Test(
        "a chain of three answers both ways, and keeps a parent that was removed",
        .requirements("R-PC-099", "R-PC-100")
    )
    func relatives() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            func child(_ title: String, of parents: PieceID..., visibility: Piece.Visibility = .listed) async throws
                -> Piece
            {
                try await service.drop(
                    DraftForm(title: title, length: 2_000_000, basedOn: parents.map(\.description)),
                    visibility: visibility,
                    token: token
                )
            }
            let one = try await child("One")
            let two = try await child("Two", of: one.id)
            let three = try await child("Three", of: two.id)
            let hidden = try await child("Hidden", of: one.id, visibility: .private)
            func relatives(_ path: String) async throws -> [RelativeList.Entry] {
                try await service.ask(.GET, "/v1/pieces/\(path)").decoded(RelativeList.self).relatives
            }
            let up = try await relatives("\(three.id)/ancestors")
            #expect(up.map(\.id) == [two.id, one.id] && up.map(\.distance) == [1, 2])
            #expect(up.map(\.title) == ["Two", "One"] && up[0].author == "Ada" && up[0].basedOn == [one.id])
            let down = try await relatives("\(one.id)/descendants")
            #expect(down.map(\.id) == [two.id, three.id] && down.map(\.distance) == [1, 2])
            #expect(down.map(\.title) == ["Two", "Three"])
            let all = try await service.ask(.GET, "/v1/pieces/\(one.id)/descendants", token: token)
            #expect(try all.decoded(RelativeList.self).relatives.map(\.title) == ["Two", "Hidden", "Three"])
            // What names it as its parent gives it away, and nothing else of it.
            let open = try await child("Open", of: hidden.id)
            let both = try await relatives("\(one.id)/descendants")
            #expect(both.map(\.id) == [two.id, hidden.id, three.id, open.id])
            #expect(both.map(\.title) == ["Two", nil, "Three", "Open"])
            #expect(try await relatives("\(one.id)/descendants?limit=1").map(\.id) == [two.id])

            #expect(try await service.ask(.DELETE, "/v1/pieces/\(two.id)", token: token).status == 204)
            #expect(try await service.ask(.GET, "/v1/pieces/\(two.id)").status == 410)
            let piece = try await service.ask(.GET, "/v1/pieces/\(three.id)").decoded(Piece.self)
            #expect(piece.basedOn == [two.id])
            let after = try await relatives("\(three.id)/ancestors")
            #expect(after.map(\.id) == [two.id, one.id] && after.map(\.isRemoved) == [true, false])
            #expect(after[0].title == nil && after[0].basedOn == [one.id])
            // Who begins after that can name it too.
            #expect(try await child("Late", of: two.id).basedOn == [two.id])
        }
    }

    @Test("words beyond those of any title are no burden")
    func manyWords() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            _ = try await service.drop(token: token)
            // Each is five words.
            let words = String(repeating: "%E3%8D%96", count: 400)
            let reply = try await service.ask(.GET, "/v1/pieces?q=\(words)")
            #expect(try reply.decoded(PiecePage.self).total == 0)
        }
    }

    @Test("an author has so much room for all pieces, and what is removed makes room")
    func room() async throws {
        var settings = ServiceSettings()
        settings.pieceAuthorLimit = 3 * TestService.Part.stem().data.count / 2
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            let refused = try await service.begin([.stem()], token: token)
            #expect(refused.status == 429 && refused.code == "quotaExceeded")
            #expect(try await service.begin([.stem()], token: try await service.author("Grace")).status == 201)
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(piece.id)", token: token).status == 204)
            #expect(try await service.begin([.stem()], token: token).status == 201)
        }
    }

    @Test("who may see a piece, and who may change it")
    func visibility() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.author("Ada", of: client)
            let other = try await service.author("Grace", of: client)
            var ids: [Piece.Visibility: PieceID] = [:]
            for visibility in Piece.Visibility.allCases {
                ids[visibility] = try await service.drop(visibility: visibility, token: token).id
            }
            let (listed, unlisted, hidden) = (
                try #require(ids[.listed]), try #require(ids[.unlisted]), try #require(ids[.private])
            )
            func status(_ id: PieceID, _ token: String?, _ path: String = "") async throws -> Int {
                try await service.ask(.GET, "/v1/pieces/\(id)\(path)", token: token).status
            }
            func found(_ query: String, _ token: String?) async throws -> Set<PieceID> {
                Set(
                    try await service.ask(.GET, "/v1/pieces\(query)", token: token).decoded(PiecePage.self).pieces.map(
                        \.id
                    )
                )
            }
            for asking in [nil, other] as [String?] {
                #expect(try await status(listed, asking) == 200)
                #expect(try await status(unlisted, asking) == 200)
                #expect(try await status(hidden, asking) == 404)
                #expect(try await status(hidden, asking, "/audio") == 404)
                #expect(try await status(hidden, asking, "/descendants") == 404)
                #expect(try await found("", asking) == [listed])
                #expect(try await found("?author=ADA", asking) == [listed])
            }
            #expect(try await status(hidden, token) == 200)
            #expect(try await status(hidden, service.admin) == 200)
            #expect(try await found("?author=me", token) == [listed, unlisted, hidden])
            #expect(try await found("?author=me", other) == [])
            #expect(try await service.ask(.GET, "/v1/pieces?author=me").status == 403)
            // A token that is none is refused, though none is needed.
            #expect(try await status(listed, "nonsense") == 401)

            let change = PieceChange(title: "Mine")
            for (id, refusal) in [(listed, 403), (unlisted, 403), (hidden, 404)] {
                for method in [HTTPMethod.PATCH, .DELETE] {
                    let reply = try await service.ask(method, "/v1/pieces/\(id)", token: other, json: change)
                    #expect(reply.status == refusal)
                }
                #expect(try await service.ask(.POST, "/v1/pieces/\(id)/publish", token: other).status == refusal)
                #expect(try await status(id, other, "/findings") == refusal)
            }
            let changed = try await service.ask(
                .PATCH,
                "/v1/pieces/\(listed)",
                token: token,
                json: PieceChange(title: " New ", description: "D", visibility: .private)
            ).decoded(Piece.self)
            #expect(changed.title == "New" && changed.description == "D" && changed.visibility == .private)
            #expect(try await status(listed, nil) == 404)
            let wrong = try await service.ask(
                .PATCH,
                "/v1/pieces/\(listed)",
                token: token,
                json: PieceChange(title: "")
            )
            #expect(wrong.status == 422)
            #expect(try wrong.decoded(Failure.self).error.violations?.map(\.code) == [.titleTooShort])
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(hidden)", token: service.admin).status == 204)
        }
    }

    @Test("pieces are searched by words, key, tempo, length and parent")
    func search() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let rail = try await service.drop(
                DraftForm(title: "Rail", length: 2_000_000, tempo: FixedTempo(120), tonality: .minor(.a)),
                token: token
            )
            let fox = try await service.drop(
                DraftForm(
                    title: "Fox",
                    length: 3_000_000,
                    tempo: FixedTempo(90),
                    basedOn: [rail.id.description],
                    tonality: .major(.c)
                ),
                [.stem(seconds: 3)],
                token: token
            )
            func found(_ query: String) async throws -> [PieceID] {
                let reply = try await service.ask(.GET, "/v1/pieces?\(query)")
                #expect(reply.status == 200, "\(query)")
                return try reply.decoded(PiecePage.self).pieces.map(\.id)
            }
            #expect(try await found("") == [fox.id, rail.id])
            #expect(try await found("q=fo") == [fox.id])
            #expect(try await found("key=A%20minor") == [rail.id])
            #expect(try await found("key=C+major&compatible=1") == [fox.id, rail.id])
            #expect(try await found("key=mask:2741:9") == [rail.id])
            #expect(try await found("tempo=100-130") == [rail.id])
            #expect(try await found("tempo=90") == [fox.id])
            #expect(try await found("minLength=2500000") == [fox.id])
            #expect(try await found("maxLength=2500000") == [rail.id])
            #expect(try await found("basedOn=\(rail.id)") == [fox.id])
            #expect(try await found("author=nobody") == [])
            #expect(try await found("offset=1&limit=1") == [rail.id])
            for wrong in ["key=H%20moll%20x", "key=mask:1", "key=mask:9999:1", "tempo=x", "tempo=5-1", "basedOn=1"] {
                let reply = try await service.ask(.GET, "/v1/pieces?\(wrong)")
                #expect(reply.status == 400 && reply.code == "requestInvalid", "\(wrong)")
            }
        }
    }

    @Test("names of authors are of one kind, and change with their pieces")
    func authors() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            let other = try await service.userToken(try await service.client())
            #expect(try await service.ask(.GET, "/v1/author", token: other).status == 404)
            #expect(try await service.begin([.stem()], token: other).status == 403)
            let taken = try await service.ask(.PUT, "/v1/author", token: other, json: AuthorRecord(name: " aDA "))
            #expect(taken.status == 409)
            for wrong in ["", "a", String(repeating: "a", count: 41), "a\u{202E}b", "a\nb"] {
                let reply = try await service.ask(.PUT, "/v1/author", token: other, json: AuthorRecord(name: wrong))
                #expect(reply.status == 400, "\(wrong)")
            }
            #expect(
                try await service.ask(.PUT, "/v1/author", token: token, json: AuthorRecord(name: "ADA L")).status == 200
            )
            #expect(try await service.ask(.GET, "/v1/author", token: token).decoded(AuthorRecord.self).name == "ADA L")
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)").decoded(Piece.self).author == "ADA L")
        }
    }

    @Test("every refusal has the service's one form", .requirements("R-PC-107"))
    func failures() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let piece = try await service.drop(token: token)
            let requests: [(HTTPMethod, String, String?, Int)] = [
                (.POST, "/v1/pieces", nil, 401), (.POST, "/v1/pieces", token, 415),
                (.GET, "/v1/pieces/x", nil, 404), (.GET, "/v1/pieces/..%2F..%2Fetc", nil, 404),
                (.PATCH, "/v1/pieces/\(piece.id)", nil, 401), (.DELETE, "/v1/pieces/\(piece.id)", nil, 401),
                (.PUT, "/v1/uploads/x", nil, 401), (.PUT, "/v1/uploads/x", token, 404),
                (.GET, "/v1/uploads/..%2Fx", token, 404), (.POST, "/v1/pieces/\(PieceID())/publish", token, 404),
                (.GET, "/v1/pieces/\(piece.id)/audio?format=mp3", nil, 400),
                (.GET, "/v1/pieces/\(piece.id)/audio?kind=x", nil, 400),
                (.GET, "/v1/pieces/\(piece.id)/cover", nil, 404),
                (.GET, "/v1/pieces/\(piece.id)/attachment", nil, 404),
                (.GET, "/v1/pieces/\(piece.id)/ancestors?limit=0", nil, 400),
                (.GET, "/v1/pieces/\(piece.id)/descendants?limit=0", nil, 400),
                (.GET, "/v1/pieces/\(piece.id)/findings", nil, 401), (.GET, "/v1/pieces?limit=1000", nil, 400),
                (.PUT, "/v1/pieces/\(piece.id)/cover", token, 422), (.GET, "/v1/author", nil, 401),
                (.PUT, "/v1/author", token, 415), (.GET, "/v1/admin/pieces", token, 403),
                (.POST, "/v1/pieces/recognitions", token, 415), (.PUT, "/v1/pieces", token, 405),
            ]
            for (method, path, token, status) in requests {
                let reply = try await service.ask(method, path, token: token)
                #expect(reply.status == status, "\(method) \(path)")
                let failure = try reply.decoded(Failure.self).error
                #expect(failure.requestID != nil && !failure.message.isEmpty, "\(method) \(path)")
                #expect(EarshotError.Code(rawValue: failure.code) != nil, "\(method) \(path)")
                #expect(failure.violations == nil)
            }
        }
    }
}
