import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Stems besides the mix")
struct PieceStemTests {
    private typealias Part = TestService.Part

    private static let form = DraftForm(title: "Morning Rail", length: 2_000_000)

    private func text(_ reply: TestService.Reply) -> String { String(decoding: reply.bytes, as: UTF8.self) }

    private func path(_ piece: Piece, _ name: String, _ more: String = "") throws -> String {
        let query = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return "/v1/pieces/\(piece.id)/audio?name=\(query)\(more)"
    }

    @Test("stems are published with the mix, told by their names, fetched, converted, and removed with the piece")
    func stems() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let (drums, bass) = (Part.stem(named: "Drums", 3), Part.stem(named: "Bass & <Lead>", 4))
            let piece = try await service.drop(Self.form, [drums, .stem(), bass], token: token)
            #expect(piece.stems == ["Drums", "Bass & <Lead>"])
            #expect(try await service.ask(.GET, "/v1/pieces/\(piece.id)/audio").bytes == Part.stem().data)
            for (name, part) in [("Drums", drums), ("Bass & <Lead>", bass)] {
                #expect(try await service.ask(.GET, try path(piece, name)).bytes == part.data)
                #expect(try await service.ask(.GET, try path(piece, name, "&kind=stem")).bytes == part.data)
                let ogg = try await service.ask(.GET, try path(piece, name, "&format=ogg"))
                #expect(StemFormat(beginOf: ogg.bytes) == .oggVorbis)
            }
            // Who saves them has files that are told apart.
            let saved = try await service.ask(.GET, try path(piece, "Drums", "&format=ogg"))
            #expect(
                saved.headers.first(name: "Content-Disposition")
                    == "inline; filename=\"Morning Rail - Drums.ogg\"; filename*=UTF-8''Morning%20Rail%20-%20Drums.ogg"
            )
            // Names are what they are, in their letter case too; and the mix has none.
            for name in ["drums", "stem"] {
                let reply = try await service.ask(.GET, try path(piece, name))
                #expect(reply.status == 404 && reply.code == "pieceNotFound")
                #expect(text(reply).contains("Drums, Bass"))
            }
            let mixed = try await service.ask(.GET, try path(piece, "Drums", "&kind=preview"))
            #expect(mixed.status == 400 && mixed.code == "requestInvalid")
            let page = text(try await service.ask(.GET, "/pieces/\(piece.id)"))
            #expect(page.contains("Bass &amp; &lt;Lead&gt;") && page.contains("audio?name=Bass%20%26%20%3CLead%3E"))
            let listed = try await service.ask(.GET, "/v1/pieces").decoded(PiecePage.self)
            #expect(listed.pieces.map(\.stems) == [piece.stems])
            #expect(try await service.ask(.DELETE, "/v1/pieces/\(piece.id)", token: token).status == 204)
            #expect(try await service.ask(.GET, try path(piece, "Drums")).status == 410)
            #expect(service.pieceFiles.isEmpty)
        }
    }

    @Test("stems come in any number of pieces, and all of them before the piece is published")
    func incomplete() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let parts = [Part.stem(), .stem(named: "Drums", 3)]
            let created = try await service.begin(parts, token: token).decoded(PieceCreated.self)
            #expect(created.uploads.map(\.name) == [nil, "Drums"])
            _ = try await service.send(parts[0].data, to: created.uploads[0], token: token)
            let half = parts[1].data.count / 2
            let (size, upload) = (parts[1].data.count, created.uploads[1])
            let first = try await service.send(
                parts[1].data.prefix(half),
                to: upload,
                range: "bytes 0-\(half - 1)/\(size)",
                token: token
            )
            #expect(try first.decoded(UploadState.self).name == "Drums")
            let refused = try await service.publish(created.id, token: token)
            #expect(refused.status == 409 && refused.code == "uploadFailed" && text(refused).contains("Drums"))
            // Begun once more after a lost answer: as it was; and another name is another piece.
            var form = Self.form
            form.id = created.id
            let again = try await service.begin(form, parts, token: token)
            #expect(try again.decoded(PieceCreated.self).uploads.map(\.received) == [parts[0].data.count, half])
            let renamed = try await service.begin(form, [parts[0], .stem(named: "Kit", 3)], token: token)
            #expect(renamed.status == 409)
            _ = try await service.send(
                parts[1].data[half...],
                to: upload,
                range: "bytes \(half)-\(size - 1)/\(size)",
                token: token
            )
            #expect(try await service.publish(created.id, token: token).decoded(Piece.self).stems == ["Drums"])
        }
    }

    @Test("a piece of stems alone has no mix, and is not published")
    func noMix() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let part = Part.stem(named: "Drums")
            let created = try await service.begin([part], token: token).decoded(PieceCreated.self)
            _ = try await service.send(part.data, to: created.uploads[0], token: token)
            let reply = try await service.publish(created.id, token: token)
            #expect(reply.status == 409 && reply.code == "stemMissing")
        }
    }

    private static let refused: [(parts: [PartAnnouncement], code: String)] = {
        func part(_ kind: PartKind = .stem, _ name: String? = nil, size: Int = 100) -> PartAnnouncement {
            PartAnnouncement(
                kind: kind,
                name: name,
                size: size,
                sha256: String(repeating: "0", count: 64),
                format: kind == .cover ? nil : .wave
            )
        }
        return [
            ([part(), part()], "pieceInvalid"),
            ([part(), part(.stem, "a"), part(.stem, "A")], "pieceInvalid"),
            ([part(), part(.preview, "a")], "pieceInvalid"),
            ([part(), part(.cover, "a")], "pieceInvalid"),
            ([part(), part(.stem, "")], "pieceInvalid"),
            ([part(), part(.stem, "a/b")], "pieceInvalid"),
            ([part()] + (0...64).map { part(.stem, "s\($0)") }, "pieceInvalid"),
            ([part(), part(.stem, "a", size: 2_001)], "uploadTooLarge"),
            ([part(), part(.stem, "a", size: 2_000), part(.stem, "b", size: 1_001)], "uploadTooLarge"),
        ]
    }()

    @Test("what cannot be announced is refused, and nothing is begun", arguments: 0..<9)
    func rules(number: Int) async throws {
        let (parts, code) = Self.refused[number]
        var settings = ServiceSettings()
        settings.pieceLimit = 2_000
        settings.pieceStemsLimit = 3_000
        try await TestService.run(settings) { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let creation = PieceCreation(draft: Self.form, parts: parts)
            let reply = try await service.ask(.POST, "/v1/pieces", token: token, json: creation)
            #expect((400..<500).contains(reply.status) && reply.code == code)
            #expect(service.pieceFiles.isEmpty)
        }
    }

    @Test("what is heard in a stem alone is told with its name")
    func hearing() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            // The second track of the catalog is in one stem, and not in the mix.
            let parts = [Part.stem(881, seconds: 20), .stem(named: "Sample", 2, seconds: 20), .stem(named: "Own", 882)]
            let form = DraftForm(title: "Hidden", length: 20_000_000)
            let hidden = try await service.drop(form, parts, token: token)
            let heard = try await service.findings(of: hidden.id, token: token).contains
            #expect(heard.map(\.id) == ["ref-2"] && heard.map(\.stem) == ["Sample"])
            #expect(heard.first?.sentence.hasSuffix("in the stem Sample") == true)
            // What the mix has is told of the mix alone.
            let open = [Part.stem(2, seconds: 20), .stem(named: "Sample", 2, seconds: 20)]
            let told = try await service.drop(form, open, token: token)
            let again = try await service.findings(of: told.id, token: token).contains
            #expect(again.map(\.id) == ["ref-2"] && again.map(\.stem) == [nil])
        }
    }
}
