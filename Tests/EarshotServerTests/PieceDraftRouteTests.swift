import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Drops before they are published")
struct PieceDraftRouteTests {
    private func creation(_ form: DraftForm, description: String = "") -> PieceCreation {
        PieceCreation(draft: form, description: description, parts: [])
    }

    @Test("a drop is told with how far its parts are, and changed before it is published and not after")
    func draft() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let (mix, drums) = (TestService.Part.stem(), TestService.Part.stem(named: "Drums", 2))
            let created = try await service.begin([mix, drums], token: token).decoded(PieceCreated.self)
            let path = "/v1/pieces/\(created.id)/draft"
            let half = mix.data.prefix(1_000)
            let range = "bytes 0-999/\(mix.data.count)"
            #expect(try await service.send(half, to: created.uploads[0], range: range, token: token).status == 200)
            let drop = try await service.ask(.GET, path, token: token).decoded(PieceDrop.self)
            #expect(drop.uploads.map(\.received) == [1_000, 0] && drop.uploads.map(\.name) == [nil, "Drums"])
            #expect(!drop.isPublished && drop.draft.title == "Morning Rail")

            var form = DraftForm(title: "Evening Rail", length: 2_000_000, tempo: FixedTempo(92))
            form.basedOn = ["not looked at"]
            let changed = try await service.ask(.PUT, path, token: token, json: creation(form, description: "New."))
            #expect(changed.status == 200)
            let told = try changed.decoded(PieceDrop.self)
            #expect(
                told.draft.title == "Evening Rail" && told.draft.tempo == FixedTempo(92) && told.description == "New."
            )
            #expect(told.draft.basedOn.isEmpty && told.uploads.map(\.received) == [1_000, 0])

            form.title = ""
            let wrong = try await service.ask(.PUT, path, token: token, json: creation(form))
            #expect(wrong.status == 422)
            #expect(try wrong.decoded(Failure.self).error.violations?.map(\.field) == [.title])

            let rest = "bytes 1000-\(mix.data.count - 1)/\(mix.data.count)"
            #expect(
                try await service.send(mix.data.dropFirst(1_000), to: created.uploads[0], range: rest, token: token)
                    .status == 200
            )
            #expect(try await service.send(drums.data, to: created.uploads[1], token: token).status == 200)
            let published = try await service.publish(created.id, token: token)
            #expect(try published.decoded(Piece.self).title == "Evening Rail")
            #expect(try await service.ask(.GET, path, token: token).decoded(PieceDrop.self).isPublished)
            form.title = "Late"
            #expect(try await service.ask(.PUT, path, token: token, json: creation(form)).status == 409)
        }
    }

    @Test("what is heard of the mix is told beside what was said, once it is there")
    func heard() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let mix = TestService.Part.stem(seconds: 3)
            let form = DraftForm(title: "Morning Rail", length: 2_000_000)
            let created = try await service.begin(form, [mix], token: token).decoded(PieceCreated.self)
            let path = "/v1/pieces/\(created.id)/heard"
            let early = try await service.ask(.GET, path, token: token)
            #expect(early.status == 409 && early.code == "stemMissing")
            #expect(try await service.send(mix.data, to: created.uploads[0], token: token).status == 200)
            for _ in 0..<2 {
                let hearing = try await service.ask(.GET, path, token: token).decoded(PieceHearing.self)
                #expect(hearing.heard.length == 3_000_000)
                #expect(hearing.warnings.map(\.code) == [.lengthDiffers])
            }
            let right = PieceCreation(draft: DraftForm(title: "Rail", length: 3_000_000), parts: [])
            _ = try await service.ask(.PUT, "/v1/pieces/\(created.id)/draft", token: token, json: right)
            #expect(try await service.ask(.GET, path, token: token).decoded(PieceHearing.self).warnings.isEmpty)
        }
    }

    @Test("of a drop of somebody else it is not told that it is there")
    func foreign() async throws {
        try await TestService.run { (service: TestService) async throws in
            let created = try await service.begin([.stem()], token: try await service.author("Ada"))
                .decoded(PieceCreated.self)
            let other = try await service.author("Grace")
            for rest in ["draft", "heard"] {
                #expect(try await service.ask(.GET, "/v1/pieces/\(created.id)/\(rest)", token: other).status == 404)
            }
            let form = creation(DraftForm(title: "Mine", length: 1))
            #expect(
                try await service.ask(.PUT, "/v1/pieces/\(created.id)/draft", token: other, json: form).status == 404
            )
        }
    }
}
