import EarshotAPI
import EarshotBroadcast
import EarshotClient
import EarshotCore
import EarshotMonitor
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

/// Each request of the monitoring service: one that goes well, and one that fails in the form of all failures.
private let monitoringContract: [(method: HTTPMethod, good: String, bad: String, status: Int)] = [
    (.GET, "/v1/registrations/self", "/v1/registrations/other", 404),
    (.GET, "/v1/works/harbour", "/v1/works/none", 404),
    (.GET, "/v1/works?title=harbour", "/v1/works", 400),
    (.GET, "/v1/programs/storm?links=true", "/v1/programs/none", 404),
    (.GET, "/v1/programs?title=news", "/v1/programs?title=news&limit=0", 400),
    (.GET, "/v1/channels/7", "/v1/channels/none", 404),
    (.GET, "/v1/channels?identifier=7", "/v1/channels?identifier=7&source=moon", 400),
    (
        .GET, "/v1/airings?channel=7&from=2027-01-15T08:00:00Z&to=2027-01-15T09:00:00%2B00:00",
        "/v1/airings?from=yesterday", 400
    ),
    (.GET, "/v1/airings", "/v1/airings?from=2027-01-15T08:00:00Z&to=2026-01-15T08:00:00Z", 400),
    (.GET, "/v1/bundles", "/v1/bundles/none", 404), (.GET, "/v1/search?q=lantern", "/v1/search", 400),
    (.GET, "/health", "/healthy", 404), (.GET, "/metrics", "/v1/metrics/none", 404),
]

@Suite("Works, programmes and channels over HTTP")
struct GuideRouteTests {
    private func http(_ service: TestService, _ change: ClientChange = ClientChange()) async throws
        -> HTTPRecognitionService
    {
        let client = try await service.client(change)
        return HTTPRecognitionService(
            try #require(URL(string: service.base)),
            configuration: try ClientConfiguration(clientIdentifier: client.identifier ?? "")
        )
    }

    @Test(
        "a query for a work tells all of it, with link data the identifiers too",
        .requirements("R-ACR-175", "R-ACR-178")
    )
    func works() async throws {
        try await TestService.run { (service: TestService) async throws in
            var query = GuideQuery(try await http(service))
            var wanted = TestGuide.harbour
            wanted.externalIdentifiers = []
            #expect(try await query.work(TestGuide.harbour.summary) == wanted)
            query.linkData = true
            #expect(try await query.work(TestGuide.harbour.summary) == TestGuide.harbour)
            #expect(try await query.work(EntityID<VideoWork>("nothing")) == nil)
        }
    }

    @Test("a query for a programme tells credits and contributors", .requirements("R-ACR-176"))
    func programs() async throws {
        try await TestService.run { (service: TestService) async throws in
            let query = GuideQuery(try await http(service))
            let program = try #require(try await query.program("storm"))
            #expect(program.credits.map(\.name) == ["Ada Weir", "Cy Vance"])
            #expect(program.credits.map(\.role) == [.director, .presenter])
            #expect(program.externalIdentifiers.isEmpty)
            // The work behind the programme, as a secondary query.
            #expect(try await query.work(try #require(program.work)).synopsis?.text == "A storm comes.")
        }
    }

    @Test("a channel is found as a match names it, and by identifier, tag and source", .requirements("R-ACR-177"))
    func channels() async throws {
        try await TestService.run { (service: TestService) async throws in
            var query = GuideQuery(try await http(service))
            query.linkData = true
            #expect(try await query.channel(TestGuide.seven.id) == TestGuide.seven)
            #expect(
                try await query.channel(identifier: "7", tag: "tag7", source: .televisionChannel) == TestGuide.seven
            )
            #expect(try await query.channel(identifier: "seven.example", source: .xmltv) == TestGuide.seven)
            #expect(try await query.channel(identifier: "7", tag: "other", source: .televisionChannel) == nil)
            #expect(try await http(service).channels(links: false).map(\.id) == ["7", "8"])
        }
    }

    @Test("what is on, and what was and will be")
    func airings() async throws {
        try await TestService.run { (service: TestService) async throws in
            let http = try await http(service)
            let start = TestGuide.start
            let all = try await http.airings(from: start - 86_400, to: start + 86_400)
            #expect(all.map(\.program.id) == ["storm", "news", "news"])
            #expect(try await http.airings(on: ["8"], from: start, to: start + 1).map(\.channel.id) == ["8"])
            #expect(try await http.airing(on: "7", at: start + 2_400)?.program.id == "news")
            #expect(try await http.airing(on: "7", at: start + 2_399.999)?.program.id == "storm")
            // As many names as a request takes, as long as they may be, fit into an address.
            let long = (0..<10).map { EntityID<BroadcastChannel>("\($0)" + String(repeating: "寒", count: 170)) }
            #expect(try await http.airings(on: long + ["8"], from: start, to: start + 1).map(\.channel.id) == ["8"])
            // Without a span: now.
            let token = try await service.token()
            let now = try await service.ask(.GET, "/v1/airings", token: token).decoded(AiringList.self)
            #expect(now.airings.map(\.program.id) == ["storm", "news"])
        }
    }

    @Test(
        "each kind of query needs its entitlement, and recognition goes on without",
        .requirements("R-ACR-180"),
        arguments: [
            (Entitlement.works, ["/v1/works/harbour", "/v1/works?title=harbour"]),
            (
                .guide,
                ["/v1/programs/storm", "/v1/programs?title=news", "/v1/channels", "/v1/channels/7", "/v1/airings"]
            ),
            (
                .externalIdentifiers,
                [
                    "/v1/works/harbour?links=1", "/v1/programs/storm?links=1", "/v1/channels/7?links=1",
                    "/v1/channels?links=1",
                ]
            ),
        ]
    )
    func entitlements(missing: Entitlement, paths: [String]) async throws {
        try await TestService.run { (service: TestService) async throws in
            try await service.add(50, as: "harbour")
            var change = ClientChange()
            change.entitlements = Entitlement.allCases.filter { $0 != missing }
            let (without, with) = (try await service.token(change), try await service.token())
            for path in paths {
                let refused = try await service.ask(.GET, path, token: without)
                #expect(refused.status == 403 && refused.code == "accessDenied", "\(path)")
                #expect(try await service.ask(.GET, path, token: with).status == 200, "\(path)")
            }
            let answer = try await service.whatIsOn(50, token: without).decoded(BroadcastAnswer.self)
            #expect(answer.matches.first?.work?.id == "harbour")
        }
    }

    @Test(
        "every request answers, and fails in one form",
        .requirements("R-ACR-192"),
        arguments: monitoringContract.indices
    )
    func contract(index: Int) async throws {
        let (method, good, bad, status) = monitoringContract[index]
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.userToken(try await service.client())
            #expect(try await service.ask(method, good, token: token).status == 200)
            let reply = try await service.ask(method, bad, token: token)
            #expect(reply.status == status)
            let failure = try reply.decoded(Failure.self).error
            #expect(EarshotError.Code(rawValue: failure.code) != nil)
            #expect(!failure.message.isEmpty && failure.requestID?.isEmpty == false)
        }
    }

    @Test(
        "every request that sends something answers, and fails in the same form",
        .requirements("R-ACR-192")
    )
    func sendingContract() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.token(client)
            func fails(_ reply: TestService.Reply, _ status: Int, _ code: String) throws {
                let failure = try reply.decoded(Failure.self).error
                #expect(reply.status == status && failure.code == code)
                #expect(!failure.message.isEmpty && failure.requestID?.isEmpty == false)
            }
            func register(_ version: String) async throws -> TestService.Reply {
                let request = RegistrationRequest(client: client.identifier ?? "", appVersion: version)
                return try await service.ask(.POST, "/v1/registrations", json: request)
            }
            #expect(try await register("1").status == 201)
            try fails(try await register(""), 400, "requestInvalid")

            for path in ["/v1/recognitions", "/v1/broadcasts/recognitions"] {
                func recognize(_ body: Data) async throws -> TestService.Reply {
                    try await service.ask(.POST, path, token: token, type: ServiceAPI.signatureType, body: body)
                }
                #expect(try await recognize(try TestMusic.query(1).data).status == 200)
                try fails(try await recognize(Data("nonsense".utf8)), 422, "signatureInvalid")
            }

            let bundle = service.folder.appendingPathComponent("made")
            try TestBundles.write(version: 1, to: bundle)
            func publish(_ body: Data) async throws -> TestService.Reply {
                let type = ServiceAPI.bundleType
                return try await service.ask(.PUT, "/v1/bundles/ads", token: service.admin, type: type, body: body)
            }
            try fails(try await publish(Data("nonsense".utf8)), 422, "bundleInvalid")
            #expect(try await publish(try Data(contentsOf: bundle)).status == 200)
            #expect(try await service.ask(.GET, "/v1/bundles/ads", token: token).bytes == Data(contentsOf: bundle))

            let feed = try BroadcastRouteTests.feed(51, channel: "7", at: service.time.now - 60)
            func send(_ body: Data) async throws -> TestService.Reply {
                let type = ServiceAPI.liveFeedType
                return try await service.ask(.PUT, "/v1/channels/7/live", token: service.admin, type: type, body: body)
            }
            try fails(try await send(Data("nonsense".utf8)), 400, "requestInvalid")
            #expect(try await send(feed).status == 200)
        }
    }

    @Test("the result cache and the store of fingerprints are apart", .requirements("R-ACR-188"))
    func separateStores() async throws {
        try await withTemporaryFolder { folder in
            let cache = SQLiteMetadataCache()
            try await cache.setFolder(folder.appendingPathComponent("cache"))
            let store = BundleStore(folder: folder.appendingPathComponent("store"))
            let file = folder.appendingPathComponent("ads.earbundle")
            try TestBundles.write(version: 1, to: file)
            _ = try await store.ingest(try FileBundleSource(file))
            try await cache.store(Data("one".utf8), for: "key")

            try await cache.clear()
            #expect(try await cache.value(for: "key") == nil)
            #expect(try store.bundles.map(\.id) == ["ads"])

            try await cache.store(Data("two".utf8), for: "key")
            try await store.clear()
            #expect(try store.bundles.isEmpty)
            #expect(try await cache.value(for: "key") == Data("two".utf8))
        }
    }
}
