import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSQLite
import EarshotSharedCatalogs
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Additions of which the database does not say whether they are kept", .timeLimit(.minutes(2)))
struct UnsettledAdditionTests {
    /// A way to add a reference.
    enum Form: CaseIterable {
        case named, unnamed, put

        var method: HTTPMethod { self == .put ? .PUT : .POST }

        func path(_ id: String) -> String {
            switch self {
            case .named: "/v1/references?id=\(id)&title=Song"
            case .unnamed: "/v1/references?title=Song"
            case .put: "/v1/references/\(id)?title=Song"
            }
        }
    }

    private struct Node {
        let service: TestService
        let store: UnsettledIngestStore
        /// Two clients that may change references, and their tokens.
        let clients: [String]
        let tokens: [String]

        func add(_ form: Form, _ client: Int, _ seed: UInt64 = 60, as id: String = "new") async throws
            -> TestService.Reply
        {
            try await service.ask(
                form.method,
                form.path(id),
                token: tokens[client],
                type: ServiceAPI.signatureType,
                body: try TestMusic.whole(seed).data
            )
        }

        /// The names of additions that wait to be repeated.
        var noted: [String] {
            get async throws { try await service.accounts.valueNames(beginning: UnsettledAdditions.prefix) }
        }

        func owner(of reference: String) async throws -> String? {
            try await service.accounts.owner(of: OwnedResource(.reference, reference))
        }
    }

    /// Runs a service whose database begins to answer with `settle()`.
    private static func run(_ body: (Node) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let bucket = folder.url.appendingPathComponent("bucket")
        try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
        let manifests = MemoryManifestStore()
        _ = try await manifests.create("music", limits: .standard)
        let store = UnsettledIngestStore(manifests, .late)
        let prepare = { (parts: inout RecognitionServer.Parts) async throws in
            let cache = try SegmentCache(
                parts.folder.appendingPathComponent("segments"),
                catalog: "music",
                objects: FolderObjectStore(bucket)
            )
            parts.catalog = CatalogProvider(try await SharedCatalog("music", manifests: store, cache: cache))
        }
        try await TestService.run(prepare: prepare) { (service: TestService) async throws in
            var change = ClientChange()
            change.rights = [.references]
            var (clients, tokens): ([String], [String]) = ([], [])
            for _ in 0..<2 {
                let client = try await service.client(change)
                clients.append(client.id)
                tokens.append(try await service.token(client))
            }
            try await body(Node(service: service, store: store, clients: clients, tokens: tokens))
        }
    }

    @Test(
        "one that became true after it was refused is new when its client repeats it, and belongs to it",
        arguments: Form.allCases
    )
    func repeated(form: Form) async throws {
        try await Self.run { (node: Node) async throws in
            #expect(try await node.add(form, 0).status == 503)
            #expect(try await node.noted.count == 1)
            try await node.store.settle()
            let again = try await node.add(form, 0)
            #expect(again.status == 201)
            let id = try again.decoded(ReferenceRecord.self).id
            #expect(try await node.owner(of: id) == node.clients[0])
            #expect(try await node.noted.isEmpty)
            // It is answered: from now on it is one that is there.
            #expect(try await node.add(form, 0).status == 200)
            let path = "/v1/references/\(id)"
            #expect(try await node.service.ask(.DELETE, path, token: node.tokens[1]).status == 403)
            #expect(try await node.service.ask(.DELETE, path, token: node.tokens[0]).status == 204)
        }
    }

    @Test("one that did not become true is added when it is repeated", arguments: Form.allCases)
    func lost(form: Form) async throws {
        try await Self.run { (node: Node) async throws in
            #expect(try await node.add(form, 0).status == 503)
            node.store.lose()
            let again = try await node.add(form, 0)
            #expect(again.status == 201)
            #expect(try await node.owner(of: try again.decoded(ReferenceRecord.self).id) == node.clients[0])
            #expect(try await node.noted.isEmpty)
        }
    }

    @Test("what another client has added meanwhile stays that client's")
    func others() async throws {
        try await Self.run { (node: Node) async throws in
            #expect(try await node.add(.named, 0).status == 503)
            node.store.lose()
            #expect(try await node.add(.named, 1).status == 201)
            #expect(try await node.add(.named, 0).status == 200)
            #expect(try await node.owner(of: "new") == node.clients[1])
            #expect(try await node.add(.put, 0).status == 403)
        }
    }

    @Test(
        "what is refused for good, is answered, or replaces another leaves no note; what nobody repeats goes after a day"
    )
    func notes() async throws {
        try await Self.run { (node: Node) async throws in
            node.store.lose()
            #expect(try await node.add(.named, 0).status == 201)
            #expect(try await node.add(.named, 1, 61).status == 409)
            #expect(try await node.noted.isEmpty)
            #expect(try await node.add(.put, 0, 62).status == 200)
            #expect(try await node.noted.isEmpty)
            let additions = UnsettledAdditions(accounts: node.service.accounts) { [time = node.service.time] in time.now
            }
            try await additions.note(UnsettledAdditions.prefix + "a")
            #expect(try await additions.isNoted(UnsettledAdditions.prefix + "a"))
            try await additions.clean()
            #expect(try await node.noted.count == 1)
            node.service.time.advance(UnsettledAdditions.memory + 1)
            #expect(try await !additions.isNoted(UnsettledAdditions.prefix + "a"))
            try await additions.clean()
            #expect(try await node.noted.isEmpty)
        }
    }
}
