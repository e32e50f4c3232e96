import EarshotAPI
import EarshotCore
import EarshotNodes
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation
import HTTPTypes
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Rights of clients, and owners")
struct ClientRightTests {
    /// The requests that each right opens.
    private static let operations: [ClientRight: Set<String>] = [
        .references: [
            "references", "addReference", "reference", "signatureOfReference", "putReference", "removeReference",
            "exportCatalog", "publishCatalog", "jobs", "submitJob", "job", "cancelJob", "jobEvents", "itemsOfReference",
            "putItemsOfReference", "duplicates", "putContent", "removeContent",
        ],
        .bundles: ["publishBundle", "removeBundle"],
        .channels: ["feedChannel"],
        .media: [
            "asset", "assetAnalyses", "assetAudio", "samples", "waveform", "analyse", "analysisRun",
            "removeAnalysisRun", "searchLibrary", "libraryAlbums", "libraryTracks",
        ],
        .exports: ["exports", "export", "exportRecord", "removeExport", "exportEvents", "exportFile"],
    ]

    private static func change(_ rights: [ClientRight]) -> ClientChange {
        var change = ClientChange()
        change.rights = rights
        return change
    }

    @Test("a right opens its requests and no others", arguments: [nil] + ClientRight.allCases)
    func rights(granted: ClientRight?) async throws {
        try await TestMedia.run { (service: TestService, _) async throws in
            let token = try await service.token(Self.change(granted.map { [$0] } ?? []))
            for (right, names) in Self.operations {
                for name in names.sorted() {
                    let endpoint = try #require(service.described.first { $0.id == name }, "there is no \(name)")
                    let path = endpoint.path.replacing(/\{[a-zA-Z]+\}/, with: "1")
                    let reply = try await service.ask(
                        HTTPMethod(rawValue: endpoint.method.rawValue),
                        path,
                        token: token
                    )
                    #expect((reply.status == 403) == (right != granted), "\(name): \(reply.status)")
                    guard right != granted else { continue }
                    let message = try reply.decoded(Failure.self).error.message
                    #expect(reply.code == "accessDenied" && message.contains("the right \(right.rawValue)"))
                }
            }
            // None was forgotten.
            let limited = service.described.filter { if case .right = $0.access { true } else { false } }
            #expect(Set(limited.map(\.id)) == Self.operations.values.reduce(into: []) { $0.formUnion($1) })
        }
    }

    @Test(
        "the one right of before is all rights, and is told of whoever has all",
        arguments: [
            (nil, nil, []), (nil, true, ClientRight.allCases), (nil, false, []), ([.bundles], nil, [.bundles]),
            ([.bundles], true, [.bundles]), ([.bundles], false, [.bundles]), ([], true, []),
            (ClientRight.allCases, nil, ClientRight.allCases),
        ] as [([ClientRight]?, Bool?, [ClientRight])]
    )
    func oneRight(rights: [ClientRight]?, mayChangeReferences: Bool?, expected: [ClientRight]) async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.rights = rights
            change.mayChangeReferences = mayChangeReferences
            let made = try await service.client(change)
            #expect(Set(made.rights) == Set(expected))
            #expect(made.mayChangeReferences == (expected.count == ClientRight.allCases.count))
            // What is not named stays.
            var other = ClientChange()
            other.name = "Other"
            let path = "/v1/admin/clients/\(made.id)"
            let changed = try await service.ask(.PATCH, path, token: service.admin, json: other)
            #expect(try changed.decoded(ClientRecord.self).rights == made.rights)
            other.mayChangeReferences = false
            let none = try await service.ask(.PATCH, path, token: service.admin, json: other)
            #expect(try none.decoded(ClientRecord.self).rights.isEmpty)
        }
    }

    // MARK: - Owners

    /// Makes a resource, or changes it.
    ///
    /// - Parameter turn: Which version of it is sent, from 1.
    private func put(
        _ kind: OwnedResource.Kind,
        _ turn: Int,
        _ token: String,
        _ service: TestService
    ) async throws -> TestService.Reply {
        switch kind {
        case .reference:
            return try await service.ask(
                .PUT,
                "/v1/references/mine",
                token: token,
                type: ServiceAPI.signatureType,
                body: try TestMusic.whole(UInt64(50 + turn)).data
            )
        case .bundle:
            let url = service.folder.appendingPathComponent("made-\(UUID().uuidString)")
            try TestBundles.write(version: UInt64(turn), to: url)
            return try await service.ask(
                .PUT,
                "/v1/bundles/ads",
                token: token,
                type: ServiceAPI.bundleType,
                body: try Data(contentsOf: url)
            )
        case .channel:
            let begin = Date(timeIntervalSince1970: 1_800_000_000 + Double(60 * turn))
            return try await service.ask(
                .PUT,
                "/v1/channels/7/live",
                token: token,
                type: ServiceAPI.liveFeedType,
                body: try BroadcastRouteTests.feed(51, channel: "7", at: begin)
            )
        }
    }

    private func remove(_ kind: OwnedResource.Kind, _ token: String, _ service: TestService) async throws
        -> TestService.Reply
    {
        let path = kind == .bundle ? "/v1/bundles/ads" : "/v1/references/mine"
        return try await service.ask(.DELETE, path, token: token)
    }

    @Test("what a client made another one neither changes nor removes", arguments: OwnedResource.Kind.allCases)
    func owners(kind: OwnedResource.Kind) async throws {
        try await TestService.run { (service: TestService) async throws in
            service.time.advance(1_200)
            let owner = try await service.client(Self.change(ClientRight.allCases))
            let (one, other) = (
                try await service.token(owner), try await service.token(Self.change(ClientRight.allCases))
            )
            let isKept = kind != .channel
            #expect((200...201).contains(try await put(kind, 1, one, service).status))
            func refused(_ turn: Int) async throws {
                let reply = try await put(kind, turn, other, service)
                #expect(reply.status == 403 && reply.code == "accessDenied", "\(turn)")
                let message = try reply.decoded(Failure.self).error.message
                #expect(message.contains("Another client made the \(kind.rawValue)"))
                guard isKept else { return }
                #expect(try await remove(kind, other, service).code == "accessDenied")
            }
            try await refused(2)
            #expect(try await put(kind, 2, one, service).status == 200)
            // The operator may change all, and takes nothing over.
            #expect(try await put(kind, 3, service.admin, service).status == 200)
            try await refused(4)
            #expect(try await put(kind, 4, one, service).status == 200)
            if isKept {
                #expect(try await remove(kind, one, service).status == 204)
                #expect(try await remove(kind, other, service).status == 404)
                // The name is free again.
                #expect((200...201).contains(try await put(kind, 5, other, service).status))
                #expect(try await put(kind, 6, one, service).status == 403)
                #expect(try await remove(kind, service.admin, service).status == 204)
                #expect((200...201).contains(try await put(kind, 7, one, service).status))
            }
            try await refused(8)
            // With its client its owner is gone.
            _ = try await service.ask(.DELETE, "/v1/admin/clients/\(owner.id)", token: service.admin)
            #expect(try await put(kind, 9, other, service).status == 200)
        }
    }

    @Test("what the operator made every client with the right may change", arguments: OwnedResource.Kind.allCases)
    func withoutOwner(kind: OwnedResource.Kind) async throws {
        try await TestService.run { (service: TestService) async throws in
            service.time.advance(1_200)
            #expect((200...201).contains(try await put(kind, 1, service.admin, service).status))
            for turn in 2...3 {
                let token = try await service.token(Self.change(ClientRight.allCases))
                #expect(try await put(kind, turn, token, service).status == 200)
            }
        }
    }

    @Test("a name that the content gives belongs to the client too")
    func contentName() async throws {
        try await TestService.run { (service: TestService) async throws in
            let tokens = [
                try await service.token(Self.change([.references])),
                try await service.token(Self.change([.references])),
            ]
            func add(_ token: String) async throws -> TestService.Reply {
                try await service.ask(
                    .POST,
                    "/v1/references",
                    token: token,
                    type: ServiceAPI.signatureType,
                    body: try TestMusic.whole(60).data
                )
            }
            let record = try await add(tokens[0]).decoded(ReferenceRecord.self)
            // Adding it once more changes nothing.
            #expect(try await add(tokens[1]).status == 200)
            let path = "/v1/references/\(record.id)"
            #expect(try await service.ask(.DELETE, path, token: tokens[1]).status == 403)
            #expect(try await service.ask(.DELETE, path, token: tokens[0]).status == 204)
        }
    }

    /// How often something was made.
    private final class Count: Sendable {
        let value = Mutex(0)
    }

    @Test("of many that make the same at once one has it")
    func concurrency() async throws {
        let store = try SQLiteAccountStore.inMemory()
        let owners = ResourceOwners(store)
        let clients = (0..<20).map { "\($0)" }
        for id in clients {
            try await store.put(ServiceClient(id: id, tagDigest: Data(), name: id, created: Date()))
        }
        let resource = OwnedResource(.reference, "new")
        let made = Count()
        let winners = await withTaskGroup(of: String?.self) { group in
            for client in clients {
                group.addTask {
                    do throws(EarshotError) {
                        try await owners.change(
                            resource,
                            for: client,
                            exists: { made.value.withLock { $0 > 0 } },
                            { (isThere: Bool) async throws(EarshotError) in
                                #expect(!isThere)
                                for _ in 0..<10 { await Task.yield() }
                                made.value.withLock { $0 += 1 }
                            }
                        )
                        return client
                    } catch {
                        return error.code == .accessDenied ? nil : "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String]()) { if let client = $1 { $0.append(client) } }
        }
        #expect(winners.count == 1 && made.value.withLock { $0 } == 1)
        #expect(try await store.owner(of: resource) == winners.first)
    }

    @Test("the job of a client that has lost its right since is not done", arguments: [true, false])
    func jobs(isServed: Bool) async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client(Self.change([.references]))
            let order = JobOrder(
                queue: "job",
                id: "a",
                kind: "publish",
                owner: client.id,
                input: ["id": "radio"]
            )
            let job = Job(order, created: service.time.now)
            #expect(try await service.server.worker.run(job) { _ in } == "radio 1")
            var change = Self.change(isServed ? [.bundles] : [.references])
            change.isEnabled = isServed
            _ = try await service.ask(.PATCH, "/v1/admin/clients/\(client.id)", token: service.admin, json: change)
            let error = await #expect(throws: EarshotError.self) {
                try await service.server.worker.run(job) { _ in }
            }
            #expect(error?.code == .accessDenied)
        }
    }
}
