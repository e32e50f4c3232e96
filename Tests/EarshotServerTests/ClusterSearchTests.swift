import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotRecognition
import EarshotSQLite
import EarshotSharedCatalogs
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Nodes that search a catalog together over HTTP", .timeLimit(.minutes(5)))
struct ClusterSearchTests {
    private static let count = 8

    @Test("each node answers from the whole catalog; with one lost a match is marked, and no absence is told")
    func two() async throws {
        let cluster = try await TestCluster()
        try await cluster.fill(Self.count)
        try await cluster.manifests.setCopies(1, of: TestCluster.catalog)
        cluster.register.wait(for: 2)
        try await cluster.run { (first: TestCluster.Node) async throws in
            try await cluster.run { (second: TestCluster.Node) async throws in
                try await cluster.settle([first, second], of: 2)
                #expect(first.catalog.isSpread && second.catalog.isSpread)
                #expect(first.catalog.catalog.count + second.catalog.catalog.count == Self.count)
                for node in [first, second] {
                    for number in 0..<Self.count {
                        let reply = try await node.recognizeWholly(number)
                        #expect(reply.matches.first?.placement?.reference == ReferenceID("song-\(number)"))
                        #expect(try reply.decoded(MatchList.self).searched == nil)
                    }
                    let nothing = try await node.recognizeWholly(99)
                    #expect(nothing.status == 200 && nothing.matches.isEmpty)
                    #expect(try await node.service.ask(.GET, "/ready").status == 200)
                }
                cluster.register.freeze()
            }
            var found = 0
            for number in 0..<Self.count {
                let reply = try await first.recognize(number)
                guard first.catalog.catalog.contains(ReferenceID("song-\(number)")) else {
                    #expect(reply.status == 503 && reply.code == "searchIncomplete")
                    #expect(reply.headers.first(name: "Retry-After") == "2")
                    continue
                }
                found += 1
                #expect(reply.matches.first?.placement?.reference == ReferenceID("song-\(number)"))
                let searched = try #require(try reply.decoded(MatchList.self).searched)
                #expect(searched == SearchedPart(references: first.catalog.catalog.count, of: Self.count))
            }
            #expect(found == first.catalog.catalog.count && found > 0 && found < Self.count)
            #expect(try await first.recognize(99).code == "searchIncomplete")
            // Once it knows that it is alone, it holds all. Its service reads the register too, and may have done so just before: then it
            // places as before once more.
            cluster.register.thaw()
            while first.catalog.isSpread { try await cluster.settle([first], of: 1) }
            for number in 0..<Self.count {
                #expect(try await first.recognize(number).matches.count == 1)
            }
        }
    }

    @Test("what needs more than a node holds has it fetched: references, lists, items, landmarks, changes")
    func routes() async throws {
        let cluster = try await TestCluster()
        try await cluster.fill(Self.count)
        try await cluster.manifests.setCopies(1, of: TestCluster.catalog)
        cluster.register.wait(for: 2)
        try await cluster.run { (first: TestCluster.Node) async throws in
            try await cluster.run { (second: TestCluster.Node) async throws in
                try await cluster.settle([first, second], of: 2)
                let (service, admin) = (first.service, second.service.admin)
                let lacking = (0..<Self.count).filter { !first.catalog.catalog.contains(ReferenceID("song-\($0)")) }
                let number = try #require(lacking.first)
                let path = "/v1/references/song-\(number)"
                #expect(try await service.ask(.GET, path, token: admin).status == 200)
                let signature = try await service.ask(.GET, path + "/signature", token: admin).bytes
                #expect(signature == TestCluster.signature(number).data)
                #expect(try await service.ask(.GET, path + "/items", token: admin).status == 200)
                #expect(try await service.ask(.GET, "/v1/references/nothing", token: admin).status == 404)
                let page = try await service.ask(.GET, "/v1/references", token: admin).decoded(ReferencePage.self)
                #expect(page.references.map(\.id) == (0..<Self.count).map { "song-\($0)" })
                let marks = try await first.recognize(number, "?landmarks=1").decoded(MatchList.self).landmarks
                #expect(marks?.contains(where: \.isShared) == true)
                #expect(try await service.ask(.DELETE, path, token: admin).status == 204)
                #expect(try await service.ask(.GET, path, token: admin).status == 404)
            }
        }
    }

    @Test("with all on each node no node asks another")
    func all() async throws {
        let cluster = try await TestCluster()
        try await cluster.fill(2)
        try await cluster.run { (node: TestCluster.Node) async throws in
            try await cluster.settle([node], of: 1)
            #expect(!node.catalog.isSpread && node.catalog.snapshot.isComplete)
            try await cluster.manifests.setCopies(3, of: TestCluster.catalog)
            try await node.catalog.load()
            #expect(!node.catalog.isSpread && node.catalog.snapshot.isComplete)
            #expect(try await node.recognize(1).matches.count == 1)
        }
    }

    // MARK: - The listener

    private static var request: NodeSearchRequest {
        NodeSearchRequest(
            catalog: TestCluster.catalog,
            generation: 1,
            patience: 4_000,
            parts: [],
            round: SearchRound(
                kind: .quick,
                totals: SearchTotals(
                    frameCount: 1,
                    postingCount: 1,
                    segmentCount: 1,
                    referenceCount: 1,
                    hasBits: true
                )
            ),
            query: TestCluster.query(0)
        )
    }

    @Test("the port for nodes refuses whoever is none, other versions and what is too large, and has nothing else")
    func refusals() async throws {
        let cluster = try await TestCluster()
        try await cluster.run { (node: TestCluster.Node) async throws in
            let seal = try await NodeSecret.seal(in: cluster.accounts, wrapping: nil)
            let (body, header) = try NodeSearchExchange(seal).sealed(Self.request)
            func ask(_ body: [UInt8], _ header: String?) async throws -> TestService.Reply {
                try await node.service.ask(
                    .POST,
                    "http://\(node.address)\(NodeSearchExchange.path)",
                    body: Data(body),
                    headers: header.map { [(NodeSeal.header, $0)] } ?? []
                )
            }
            #expect(try await ask(body, header).status == 200)
            #expect(try await ask(body, nil).status == 401)
            #expect(try await ask(body + [0], header).status == 401)
            let stranger = NodeSeal(secret: Data("another secret of nodes".utf8))
            #expect(try await ask(body, stranger.seal(request: body, at: Date())).status == 401)
            #expect(try await ask(body, seal.seal(request: body, at: Date() - 600)).status == 401)
            for place in [8, 10] {
                var other = body
                other[place] = 9
                let reply = try await ask(other, seal.seal(request: other, at: Date()))
                #expect(reply.status == 409 && reply.headers.first(name: NodeSeal.header) != nil)
            }
            let large = [UInt8](repeating: 0, count: NodeSearchRequest.largest + 1)
            #expect(try await ask(large, seal.seal(request: large, at: Date())).status == 413)
            for path in ["/health", "/v1/references", "/v1/openapi.json"] {
                let reply = try await node.service.ask(.GET, "http://\(node.address)\(path)", token: node.service.admin)
                #expect(reply.status == 404)
            }
            let path = NodeSearchExchange.path
            let reply = try await node.service.ask(.POST, path, body: Data(body), headers: [(NodeSeal.header, header)])
            #expect(reply.status == 404)
        }
    }

    @Test("a node whose queue is full says so at once, and clients have another queue")
    func busy() async throws {
        let cluster = try await TestCluster()
        try await cluster.fill(1)
        var settings = ServiceSettings()
        settings.workers = 1
        try await cluster.run(settings) { (node: TestCluster.Node) async throws in
            try await cluster.settle([node], of: 1)
            let seal = try await NodeSecret.seal(in: cluster.accounts, wrapping: nil)
            let client = NodeClient(NodeSearchExchange(seal))
            let record = NodeRecord(id: NodeID(rawValue: "node"), name: "host", address: node.address)
            let before = await client.ask(record, Self.request)
            #expect((try? before.get())?.answer.segments == [])
            let queue = try #require(node.service.server.cluster?.controller.queue)
            let latch = DispatchSemaphore(value: 0)
            await withTaskGroup(of: Void.self) { group in
                // Two run, and four wait.
                for number in 0..<6 {
                    group.addTask {
                        await WorkOwner.$current.withValue(WorkOwner(client: "other \(number)")) {
                            try? await queue.run { () throws(EarshotError) in latch.wait() }
                        }
                    }
                }
                while queue.load.running + queue.load.waiting < 6 { await Task.yield() }
                let full = await client.ask(record, Self.request)
                #expect(throws: Gather.Failure.busy) { try full.get() }
                #expect((try? await node.recognize(0))?.matches.count == 1)
                for _ in 0..<6 { latch.signal() }
            }
            let nowhere = NodeRecord(id: NodeID(rawValue: "node"), name: "host", address: "127.0.0.1:1")
            let lost = await client.ask(nowhere, Self.request)
            #expect(throws: Gather.Failure.unreachable) { try lost.get() }
        }
    }

    // MARK: - The secret

    @Test("nodes that start at the same moment have the same secret, which no copy of the database has without the key")
    func secret() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        let wrapping = KeyWrapping(key: Data(repeating: 7, count: 32))
        let seals = try await withThrowingTaskGroup(of: NodeSeal.self) { group in
            for _ in 0..<8 { group.addTask { try await NodeSecret.seal(in: accounts, wrapping: wrapping) } }
            return try await group.reduce(into: [NodeSeal]()) { $0.append($1) }
        }
        let now = Date()
        let body: [UInt8] = [1, 2, 3]
        let sealed = seals[0].seal(request: body, at: now)
        #expect(seals.allSatisfy { $0.isValid(sealed, request: body, at: now) })
        let error = await #expect(throws: EarshotError.self) {
            try await NodeSecret.seal(in: accounts, wrapping: nil)
        }
        #expect(error?.code == .configurationInvalid)
        try await accounts.setValue(Data([1]), for: NodeSecret.name)
        let short = await #expect(throws: EarshotError.self) { try await NodeSecret.seal(in: accounts, wrapping: nil) }
        #expect(short?.code == .storeDamaged)
    }

    @Test("an address for nodes needs a catalog that nodes share")
    func alone() async throws {
        var settings = ServiceSettings()
        settings.clusterAddress = NodeAddress(host: "127.0.0.1", port: 0)
        settings.cacheBytes = 1
        let error = await #expect(throws: EarshotError.self) { try await TestService.run(settings) { _ in } }
        #expect(error?.code == .configurationInvalid)
    }
}
