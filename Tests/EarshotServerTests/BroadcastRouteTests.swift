import AsyncHTTPClient
import EarshotAPI
import EarshotBroadcast
import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import EarshotStations
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("What is on, over HTTP")
struct BroadcastRouteTests {
    private func answer(_ reply: TestService.Reply) throws -> BroadcastAnswer {
        #expect(reply.status == 200)
        return try reply.decoded(BroadcastAnswer.self)
    }

    /// The feed of a channel that plays a piece whole, so that its first sample was broadcast at an instant.
    static func feed(_ seed: UInt64, channel: EntityID<BroadcastChannel>, at date: Date) throws -> Data {
        var feeder = LiveFeeder()
        var writer = try LiveFeedWriter(channel: channel)
        var data = writer.header
        let samples = TestMusic.piece(seed).samples(from: 0, seconds: 40)
        for piece in try feeder.append(AudioBuffer(samples, sampleRate: 16_000), at: date) + feeder.finish() {
            data += try writer.data(of: piece)
        }
        return data
    }

    private func send(_ data: Data, _ channel: String, _ service: TestService) async throws -> TestService.Reply {
        try await service.ask(
            .PUT,
            "/v1/channels/\(channel)/live",
            token: service.admin,
            type: ServiceAPI.liveFeedType,
            body: data
        )
    }

    @Test("an entry of the archive is a partial work with a place in it")
    func archive() async throws {
        try await TestService.run { (service: TestService) async throws in
            try await service.add(50, as: "harbour")
            let answer = try answer(try await service.whatIsOn(50, token: try await service.token()))
            #expect(answer.source == .archive)
            let match = try #require(answer.matches.first)
            #expect(match.title == "Harbour" && match.subtitle == "The storm")
            #expect(match.work?.isPartial == true && match.work?.id == "harbour")
            #expect(abs((match.position ?? 0) - 10_000) < 100)
            #expect(match.airing == nil && match.music == nil)
        }
    }

    @Test("music is told where it is no work, and nothing where nothing is known")
    func music() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let found = try answer(try await service.whatIsOn(1, token: token))
            #expect(found.source == .music)
            #expect(found.matches.map(\.music?.track.id) == ["lantern"])
            #expect(try answer(try await service.whatIsOn(999, token: token)) == BroadcastAnswer())
        }
    }

    @Test("a running channel is an airing, and how far behind it is")
    func television() async throws {
        try await TestService.run { (service: TestService) async throws in
            let begin = service.time.now
            service.time.advance(60)
            let reply = try await send(try Self.feed(51, channel: "7", at: begin), "7", service)
            let record = try reply.decoded(LiveFeedRecord.self)
            #expect(record.taken == 10 && record.passed == 0 && record.channel == "7")
            #expect(record.end == begin + 40)
            // Seconds 10 to 18 of the piece, heard at second 60.
            let token = try await service.token()
            let answer = try answer(try await service.whatIsOn(51, token: token))
            #expect(answer.source == .television)
            let match = try #require(answer.matches.first)
            #expect(match.airing?.channel.callSign == "SVN")
            #expect(match.airing?.program.id == "storm")
            #expect(match.work == nil)
            #expect(abs((match.position ?? 0) - 1_210_000) < 200)
            #expect(abs((match.behindLive ?? 0) - 42_000) < 200)
            // The same feed again changes nothing.
            let again = try await send(try Self.feed(51, channel: "7", at: begin), "7", service)
            #expect(try again.decoded(LiveFeedRecord.self).taken == 0)
            // A channel without a guide has its name at least.
            _ = try await send(try Self.feed(52, channel: "nowhere", at: begin), "nowhere", service)
            let bare = try self.answer(try await service.whatIsOn(52, token: token))
            #expect(bare.matches.map(\.title) == ["nowhere"])
        }
    }

    @Test("what was on is told to whoever is not entitled to the guide without the guide", .requirements("R-ACR-180"))
    func televisionWithoutGuide() async throws {
        try await TestService.run { (service: TestService) async throws in
            let begin = service.time.now
            service.time.advance(60)
            _ = try await send(try Self.feed(51, channel: "7", at: begin), "7", service)
            var change = ClientChange()
            change.entitlements = Entitlement.allCases.filter { $0 != .guide }
            let match = try #require(
                try answer(try await service.whatIsOn(51, token: try await service.token(change))).matches.first
            )
            #expect(match.airing == nil && match.title?.isEmpty == false)
            #expect(abs((match.position ?? 0) - 1_210_000) < 200)
        }
    }

    @Test("a feed that is damaged, of another channel or from the future is refused")
    func badFeeds() async throws {
        try await TestService.run { (service: TestService) async throws in
            let data = try Self.feed(51, channel: "7", at: service.time.now - 60)
            #expect(try await send(data, "8", service).code == "requestInvalid")
            #expect(try await send(Data("nonsense".utf8), "7", service).code == "requestInvalid")
            #expect(try await send(data.dropLast(5), "7", service).code == "requestInvalid")
            let late = try Self.feed(51, channel: "7", at: service.time.now + 600)
            #expect(try await send(late, "7", service).code == "requestInvalid")
            let client = try await service.token()
            let reply = try await service.ask(.PUT, "/v1/channels/7/live", token: client, body: data)
            #expect(reply.code == "accessDenied")
        }
    }

    /// What ends the feed of a client.
    enum End: CaseIterable { case disabled, withoutRight, newTag }

    @Test("a feed under way ends when its client may not feed any longer", arguments: End.allCases)
    func endedFeed(_ end: End) async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.rights = [.channels]
            let client = try await service.client(change)
            let data = try Self.feed(51, channel: "7", at: service.time.now - 60)
            let path = "/v1/admin/clients/\(client.id)"
            let (chunks, sent) = AsyncStream.makeStream(of: ByteBuffer.self)
            var request = HTTPClientRequest(url: "\(service.base)/v1/channels/7/live")
            request.method = .PUT
            request.headers.add(name: "Authorization", value: "Bearer \(try await service.token(client))")
            request.headers.add(name: "Content-Type", value: ServiceAPI.liveFeedType)
            request.body = .stream(chunks, length: .unknown)
            async let response = HTTPClient.shared.execute(request, timeout: .seconds(60))
            sent.yield(ByteBuffer(bytes: data.dropLast(5)))
            // The channel belongs to the client once the service has taken a piece.
            var owner: String?
            for _ in 0..<4_000 where owner == nil {
                try await Task.sleep(for: .milliseconds(5))
                owner = try await service.accounts.owner(of: OwnedResource(.channel, "7"))
            }
            #expect(owner == client.id)
            switch end {
            case .disabled:
                var change = ClientChange()
                change.isEnabled = false
                #expect(try await service.ask(.PATCH, path, token: service.admin, json: change).status == 200)
            case .withoutRight:
                var change = ClientChange()
                change.rights = []
                #expect(try await service.ask(.PATCH, path, token: service.admin, json: change).status == 200)
            case .newTag:
                service.time.advance(1)
                #expect(try await service.ask(.POST, "\(path)/tag", token: service.admin).status == 200)
            }
            service.time.advance(2)
            sent.yield(ByteBuffer(bytes: data.suffix(5)))
            sent.finish()
            #expect(try await response.status.code == (end == .withoutRight ? 403 : 401))
        }
    }

    @Test("what channels sent outlives a restart of the service")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            let now = Date()
            let logger = TestService.silentLogger
            let live = LiveChannels(folder: folder, hours: 6, now: { now }, logger: logger)
            var intake = LiveChannels.Intake(channel: "7", live: live)
            try await intake.take(try Self.feed(51, channel: "7", at: now - 60), now: now)
            _ = try intake.finish()
            try live.keep()
            let again = LiveChannels(folder: folder, hours: 6, now: { now }, logger: logger)
            let places = try again.places(of: try TestMusic.query(51), heard: now)
            #expect(places.map(\.channel) == ["7"])
        }
    }

    @Test("two clients with opposite orders find different first places", .requirements("R-ACR-094"))
    func order() async throws {
        try await TestService.run { (service: TestService) async throws in
            try await service.add(53, as: "harbour")
            let begin = service.time.now
            service.time.advance(60)
            _ = try await send(try Self.feed(53, channel: "7", at: begin), "7", service)
            for (order, source) in [
                ([BroadcastAnswer.Source.archive, .television], BroadcastAnswer.Source.archive),
                ([.television, .archive], .television), ([.music], nil),
            ] {
                var change = ClientChange()
                change.searchOrder = order
                let token = try await service.token(change)
                #expect(try answer(try await service.whatIsOn(53, token: token)).source == source)
            }
            var change = ClientChange()
            change.searchOrder = [.archive, .archive]
            #expect(try await service.ask(.POST, "/v1/admin/clients", token: service.admin, json: change).status == 400)
        }
    }

    @Test("a thousand answers hold an airing or a work, never both", .requirements("R-ACR-078"))
    func oneKind() async throws {
        let guide = MemoryGuideStore()
        try await guide.apply(TestGuide.changes)
        let whole = try TestMusic.whole(54)
        let song = try TestMusic.whole(1)
        var references = Catalog()
        try references.add(whole, representing: [], id: "harbour")
        try references.add(
            song,
            representing: [try MediaItem(properties: [.title: "Lantern"])],
            id: "song"
        )
        let catalog = references
        let music = try SQLiteMusicStore.inMemory()
        var generator = SeededGenerator(seed: 78)
        var (works, airings) = (0, 0)
        for _ in 0..<1_000 {
            var service = LocalRecognitionService(music: music) { signature throws(EarshotError) in
                try catalog.match(signature)
            }
            let heard = Bool.random(using: &generator)
            service.broadcast = BroadcastSources(
                guide: guide,
                order: BroadcastAnswer.Source.allCases.shuffled(using: &generator)
            ) { _ throws(EarshotError) in
                heard
                    ? [
                        .init(channel: "7", broadcast: TestGuide.start, behindLive: 1),
                        .init(channel: "9", broadcast: TestGuide.start, behindLive: 2),
                    ]
                    : []
            }
            let seed: UInt64 = Bool.random(using: &generator) ? 54 : 1
            let query = (seed == 54 ? whole : song).slice(
                from: MediaTime(seconds: Double.random(in: 0..<25, using: &generator)),
                duration: MediaTime(seconds: 8)
            ).signature
            var preferences = ContentPreferences()
            preferences.singleBestMatch = Bool.random(using: &generator)
            let answer = try await service.recognizeBroadcast(RecognitionQuery(query), preferences)
            #expect(answer.source != nil)
            for match in answer.matches {
                #expect([match.work != nil, match.airing != nil, match.music != nil].filter(\.self).count <= 1)
                if match.work != nil { works += 1 }
                if match.airing != nil { airings += 1 }
            }
        }
        #expect(works > 100 && airings > 100)
    }

    @Test("over HTTP the answer is that of the service in process, and the monitor's online lookup")
    func client() async throws {
        try await TestService.run { (service: TestService) async throws in
            try await service.add(50, as: "harbour")
            let client = try await service.client()
            let context = try ServiceContext(license: try service.license([client]), at: service.time.now)
            let registration = try await context.register(
                try ClientIdentifier(client.identifier ?? ""),
                appVersion: "1"
            )
            let http = try context.service(registration)
            let query = RecognitionQuery(try TestMusic.query(50))
            let answer = try await http.recognizeBroadcast(query, ContentPreferences())
            #expect(answer.source == .archive)
            let whole = try await GuideQuery(http).work(try #require(answer.matches.first?.work))
            #expect(whole.synopsis?.text == "A storm comes." && !whole.isPartial)
        }
    }
}
