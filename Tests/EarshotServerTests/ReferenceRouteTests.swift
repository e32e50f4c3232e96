import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
@testable import EarshotRecognition
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("References and catalogs over HTTP")
struct ReferenceRouteTests {
    @Test("a reference is added, replaced and removed", .requirements("R-CC-101"))
    func life() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let admin = service.admin
            #expect(try await service.recognize(50, token: token).matches.isEmpty)
            let added = try await service.ask(
                .POST,
                "/v1/references?id=new&title=New&artist=Me",
                token: admin,
                type: "audio/wav",
                body: TestMusic.wave(TestMusic.samples(50, from: 0, duration: 40))
            )
            #expect(added.status == 201)
            #expect(try added.decoded(ReferenceRecord.self).title == "New")
            #expect(try await service.recognize(50, token: token).matches.first?.track.title == "New")
            // It is on the disk.
            #expect(try Catalog(contentsOf: service.folder.appendingPathComponent("catalog.earstore")).contains("new"))

            let again = try await service.ask(
                .POST,
                "/v1/references?id=new",
                token: admin,
                type: ServiceAPI.signatureType,
                body: try TestMusic.query(50).data
            )
            #expect(again.status == 409)
            let replaced = try await service.ask(
                .PUT,
                "/v1/references/new?title=Other",
                token: admin,
                type: ServiceAPI.signatureType,
                body: try TestMusic.whole(51).data
            )
            #expect(replaced.status == 200)
            #expect(try await service.recognize(50, token: token).matches.isEmpty)
            #expect(try await service.recognize(51, token: token).matches.first?.track.title == "Other")
            #expect(
                try await service.ask(.GET, "/v1/references/new/signature", token: admin).bytes
                    == TestMusic.whole(51).thinnedData
            )

            #expect(try await service.ask(.DELETE, "/v1/references/new", token: admin).status == 204)
            #expect(try await service.ask(.DELETE, "/v1/references/new", token: admin).status == 404)
            #expect(try await service.recognize(51, token: token).matches.isEmpty)
        }
    }

    @Test("a recording that is added twice is one reference, and names have no blanks")
    func addedTwice() async throws {
        try await TestService.run { (service: TestService) async throws in
            func add(_ parameters: String, _ seed: UInt64 = 60) async throws -> TestService.Reply {
                try await service.ask(
                    .POST,
                    "/v1/references?\(parameters)",
                    token: service.admin,
                    type: ServiceAPI.signatureType,
                    body: try TestMusic.whole(seed).data
                )
            }
            func references() async throws -> ReferencePage {
                try await service.ask(.GET, "/v1/references", token: service.admin).decoded(ReferencePage.self)
            }
            let first = try await add("title=Song&artist=Me")
            #expect(first.status == 201)
            let record = try first.decoded(ReferenceRecord.self)
            #expect(record.id.hasPrefix("signature-") && !record.id.contains(" "))
            // Once more, with and without what was said of it.
            for parameters in ["title=Song&artist=Me", "title=Song", ""] {
                let again = try await add(parameters)
                #expect(again.status == 200, "\(parameters)")
                #expect(try again.decoded(ReferenceRecord.self) == record)
            }
            let other = try await add("title=Other")
            #expect(other.status == 409 && other.code == "referenceExists")
            let told = try other.decoded(Failure.self).error.message
            #expect(told.contains(record.id) && told.contains("title"), "\(told)")
            #expect(try await references().total == 17)
            // A name that is asked for makes another one, and that is the same one the next time.
            #expect(try await add("id=mine&title=Other").status == 201)
            #expect(try await add("id=mine&title=Other").status == 200)
            #expect(try await add("id=mine&title=Third").status == 409)
            #expect(try await add("id=mine&title=Other", 61).status == 409)
            #expect(try await references().total == 18)
        }
    }

    @Test("references are listed by pages")
    func pages() async throws {
        try await TestService.run { (service: TestService) async throws in
            let page = try await service.ask(.GET, "/v1/references?offset=2&limit=3", token: service.admin).decoded(
                ReferencePage.self
            )
            #expect(page.total == 16)
            #expect(page.references.map(\.id) == ["ref-3", "ref-4", "twelve-0"])
        }
    }

    @Test("a client may change references when the operator lets it")
    func rights() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.mayChangeReferences = true
            let token = try await service.token(change)
            #expect(try await service.ask(.DELETE, "/v1/references/ref-4", token: token).status == 204)
        }
    }

    @Test("versions of a catalog are published, and the newest one is what is fetched", .requirements("R-CC-100"))
    func publishing() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let first = try await service.ask(.POST, "/v1/catalogs/radio/versions", token: service.admin)
            #expect(first.status == 201)
            #expect(try first.decoded(CatalogVersion.self).version == 1)
            #expect(try await service.ask(.DELETE, "/v1/references/ref-4", token: service.admin).status == 204)
            let second = try await service.ask(.POST, "/v1/catalogs/radio/versions", token: service.admin).decoded(
                CatalogVersion.self
            )
            #expect(second.version == 2 && second.references == 15)

            let newest = try await service.ask(.GET, "/v1/catalogs/radio", token: token)
            #expect(try Catalog(data: newest.bytes).count == 15)
            #expect(newest.bytes.count == second.size)
            let old = try await service.ask(.GET, "/v1/catalogs/radio/versions/1", token: token)
            #expect(try Catalog(data: old.bytes).count == 16)
            #expect(
                try await service.ask(.GET, "/v1/catalogs", token: token).decoded([CatalogVersion].self) == [second]
            )
            #expect(
                try await service.ask(.GET, "/v1/catalogs/radio/versions", token: token).decoded([CatalogVersion].self)
                    .count == 2
            )
            let tag = try #require(newest.headers.first(name: "ETag"))
            #expect(
                try await service.ask(.GET, "/v1/catalogs/radio", token: token, headers: [("If-None-Match", tag)])
                    .status == 304
            )
            for path in [
                "/v1/catalogs/none", "/v1/catalogs/radio/versions/9", "/v1/catalogs/%2e%2e",
                "/v1/catalogs/..%2f..%2fetc",
            ] {
                #expect(try await service.ask(.GET, path, token: token).status == 404, "\(path)")
            }
            #expect(try await service.ask(.POST, "/v1/catalogs/..%2fx/versions", token: service.admin).status == 400)
        }
    }

    @Test("the catalog is fetched as it is now")
    func export() async throws {
        try await TestService.run { (service: TestService) async throws in
            /// Copies in the folder, by their names and what tells two files of a name apart.
            func copies() throws -> [String: UInt64] {
                var copies: [String: UInt64] = [:]
                for name in try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
                where name.hasSuffix(".earcat") || name.hasSuffix(".partial") {
                    let path = service.folder.appendingPathComponent(name).path
                    copies[name] =
                        (try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)?
                        .uint64Value
                }
                return copies
            }
            func fetch() async throws -> Catalog {
                let reply = try await service.ask(.GET, "/v1/catalog", token: service.admin)
                #expect(reply.status == 200 && reply.headers.first(name: "Content-Type") == ServiceAPI.catalogType)
                return try Catalog(data: reply.bytes)
            }
            // Many at once share one copy.
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await fetch().count } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: 16, count: 8))
            let first = try copies()
            #expect(first.count == 1)
            #expect(try await fetch().count == 16)
            #expect(try copies() == first, "it is not written again")
            // The next version takes its place.
            #expect(try await service.ask(.DELETE, "/v1/references/ref-4", token: service.admin).status == 204)
            #expect(try await fetch().count == 15)
            let second = try copies()
            #expect(second.keys == first.keys && second != first)
            // One that was lost is written again.
            for name in second.keys {
                try FileManager.default.removeItem(at: service.folder.appendingPathComponent(name))
            }
            #expect(try await fetch().count == 15)
        }
    }
}

extension Signature {
    /// What a catalog keeps of it.
    fileprivate var thinnedData: Data {
        var catalog = Catalog()
        guard let id = try? catalog.add(self, representing: []), let kept = try? catalog.reference(id) else {
            return Data()
        }
        return kept.signature.data
    }
}
