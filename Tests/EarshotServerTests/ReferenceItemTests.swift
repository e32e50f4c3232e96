import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotRecognition
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Media items and duplicates of references over HTTP")
struct ReferenceItemTests {
    @Test("items are replaced with all their properties, and the audio stays")
    func items() async throws {
        try await TestService.run { (service: TestService) async throws in
            let path = "/v1/references/ref-1/items"
            let audio = try await service.ask(.GET, "/v1/references/ref-1/signature", token: service.admin)
            let before = try await service.ask(.GET, path, token: service.admin).decoded(JSONValue.self)
            #expect(before["items"] == [["serviceID": "lantern", "title": "Lantern"]])
            let items: JSONValue = [
                [
                    "title": "New", "genres": ["Rock"], "level": ["$real": 2], "made": ["$date": 5],
                    "timeRanges": [[0, 2.5]],
                ],
                ["title": "Second"],
            ]
            let put = try await service.ask(.PUT, path, token: service.admin, json: ["items": items] as JSONValue)
            #expect(put.status == 200)
            #expect(try await service.ask(.GET, path, token: service.admin).decoded(JSONValue.self)["items"] == items)
            let url = service.folder.appendingPathComponent("catalog.earstore")
            let reference = try #require(try Catalog(contentsOf: url).reference("ref-1"))
            #expect(reference.items.first?["level"] == .real(2))
            let after = try await service.ask(.GET, "/v1/references/ref-1/signature", token: service.admin)
            #expect(after.bytes == audio.bytes)
            for wrong in [["title": 5], 3, ["timeRanges": [[2, 1]]]] as [JSONValue] {
                let reply = try await service.ask(
                    .PUT,
                    path,
                    token: service.admin,
                    json: ["items": [wrong]] as JSONValue
                )
                #expect(reply.status == 400 && reply.code == "mediaItemInvalid", "\(wrong)")
            }
            let missing = try await service.ask(
                .PUT,
                "/v1/references/none/items",
                token: service.admin,
                json: ["items": []] as JSONValue
            )
            #expect(missing.status == 404)
        }
    }

    @Test("another client's reference keeps its items")
    func owners() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.rights = [.references]
            let (one, other) = (try await service.token(change), try await service.token(change))
            let made = try await service.ask(
                .PUT,
                "/v1/references/mine",
                token: one,
                type: ServiceAPI.signatureType,
                body: try TestMusic.whole(60).data
            )
            #expect(made.status == 201)
            let items: JSONValue = ["items": [["title": "Mine"]]]
            #expect(try await service.ask(.PUT, "/v1/references/mine/items", token: other, json: items).status == 403)
            #expect(try await service.ask(.PUT, "/v1/references/mine/items", token: one, json: items).status == 200)
        }
    }

    @Test("references are looked for by words of their names, titles and artists, without regard to accents")
    func search() async throws {
        try await TestService.run { (service: TestService) async throws in
            func find(_ parameters: String) async throws -> ReferencePage {
                try await service.ask(.GET, "/v1/references?\(parameters)", token: service.admin).decoded(
                    ReferencePage.self
                )
            }
            #expect(try await find("q=nobody").references.map(\.id) == ["ref-2"])
            #expect(try await find("q=PL%C3%81IN").references.map(\.id) == ["ref-2"])
            #expect(try await find("q=twelve%20ref").total == 0)
            let page = try await find("q=twelve&offset=5&limit=3")
            #expect(page.total == 12 && page.references.map(\.id) == ["twelve-5", "twelve-6", "twelve-7"])
            #expect(try await find("limit=2&offset=1").references.map(\.id) == ["ref-2", "ref-3"])
        }
    }

    @Test("a comparison ends when its sender has left")
    func left() throws {
        var catalog = Catalog()
        for addition in try TestMusic.references() {
            try catalog.add(addition.signature, representing: addition.items, id: addition.id)
        }
        let cancellation = Cancellation()
        #expect(try ReferenceController.compare(catalog, 4, 1, cancellation).pairs.count == 11)
        cancellation.cancel()
        let error = #expect(throws: EarshotError.self) {
            try ReferenceController.compare(catalog, 4, 1, cancellation)
        }
        #expect(error?.code == .cancelled)
    }

    @Test("references that have audio in common are told, a few at a time")
    func duplicates() async throws {
        try await TestService.run { (service: TestService) async throws in
            struct Page: Decodable {
                struct Pair: Decodable {
                    let reference: ReferenceRecord
                    let other: ReferenceRecord
                    let relation: String
                    let offset: Double
                }
                let pairs: [Pair]
                let next: Int?
                let total: Int
            }
            func find(_ parameters: String) async throws -> Page {
                try await service.ask(.GET, "/v1/catalog/duplicates?\(parameters)", token: service.admin).decoded(
                    Page.self
                )
            }
            let first = try await find("limit=4")
            #expect(first.pairs.isEmpty && first.next == 4 && first.total == 16)
            let twelve = try await find("offset=4&limit=1")
            #expect(twelve.pairs.count == 11 && twelve.pairs.allSatisfy { $0.relation == "identical" })
            #expect(twelve.pairs.allSatisfy { $0.reference.id == "twelve-0" && $0.other.id != "twelve-0" })
            #expect(try await find("offset=15&limit=10").next == nil)
            let cut = try TestMusic.piece(1).signature(from: 5, seconds: 20)
            let reply = try await service.ask(
                .POST,
                "/v1/references?id=cut",
                token: service.admin,
                type: ServiceAPI.signatureType,
                body: cut.data
            )
            #expect(reply.status == 201)
            let pair = try #require(try await find("offset=16&limit=1").pairs.first)
            #expect(pair.other.id == "ref-1" && pair.relation == "excerpt" && abs(pair.offset - 5) < 0.2)
        }
    }
}
