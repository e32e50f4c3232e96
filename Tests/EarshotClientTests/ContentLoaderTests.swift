import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Content")
struct ContentLoaderTests {
    private func configuration() throws -> ClientConfiguration {
        try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
    }

    /// A match whose contents are at `old-…`.
    private func match(_ track: String? = "t1", album: String? = "a1") -> MusicMatch {
        var match = MusicMatch("x", album: album)
        match.track.id = track.map { EntityID($0) }
        match.album.coverArt = ContentImage(url: "old-cover", size: .small, mimeType: "image/png")
        match.artist.image = ContentImage(url: "old-artist", size: .medium)
        match.album.reviewURL = "old-review"
        match.artist.biographyURL = "old-biography"
        return match
    }

    /// A service that gives each status once for an old address, then the last one again and again.
    private func service(
        _ statuses: [Int],
        new: Int = 200,
        body: Data = Data([1, 2, 3])
    ) -> FakeService {
        let left = Mutex(statuses)
        return FakeService { _, _ throws(EarshotError) in
            var match = MusicMatch("t1", album: "a1")
            match.album.coverArt = ContentImage(url: "new-cover", size: .small)
            match.artist.image = ContentImage(url: "new-artist", size: .small)
            match.album.reviewURL = "new-review"
            match.artist.biographyURL = "new-biography"
            return [match]
        } content: { address throws(EarshotError) in
            let status =
                address.hasPrefix("new") ? new : left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? 200 }
            return ContentAnswer(status: status, mimeType: "image/png", bytes: status == 200 ? body : Data())
        }
    }

    /// What is asked for, what the service answers, and how it ends.
    struct Case: Sendable, CustomTestStringConvertible {
        let statuses: [Int]
        var new = 200
        let calls: [FakeService.Call]
        let isLoaded: Bool
        var testDescription: String { "\(statuses) \(new)" }
    }

    static let (old, fresh, fetch) = (
        FakeService.Call.content("old-cover"), FakeService.Call.content("new-cover"), FakeService.Call.track("t1")
    )
    static let cases = [
        Case(statuses: [200], calls: [old], isLoaded: true),
        Case(statuses: [500, 200], calls: [old, old], isLoaded: true),
        Case(statuses: [500, 500], calls: [old, old], isLoaded: false),
        Case(statuses: [412], calls: [old, fetch, fresh], isLoaded: true),
        Case(statuses: [404], calls: [old, fetch, fresh], isLoaded: true),
        Case(statuses: [403], new: 403, calls: [old, fetch, fresh], isLoaded: false),
        Case(statuses: [412], new: 412, calls: [old, fetch, fresh], isLoaded: false),
        Case(statuses: [412], new: 500, calls: [old, fetch, fresh], isLoaded: false),
        Case(statuses: [500, 412], calls: [old, old, fetch, fresh], isLoaded: true),
        Case(statuses: [302], calls: [old], isLoaded: false),
    ]

    @Test(
        "What is done follows from the status",
        .requirements("R-MC-181", "R-MC-182", "R-MC-183", "R-MC-184"),
        arguments: cases
    )
    func statuses(expected: Case) async throws {
        let service = service(expected.statuses, new: expected.new)
        let lines = Collector<String>()
        let loader = ContentLoader(service: service, configuration: try configuration()) { lines.add($0) }
        if expected.isLoaded {
            #expect(try await loader.coverArt(of: match())?.data == Data([1, 2, 3]))
        } else {
            await #expect(throws: EarshotError.self) { try await loader.coverArt(of: match()) }
        }
        #expect(service.calls == expected.calls)
        #expect(lines.all.count == (expected.isLoaded ? 0 : 1))
    }

    @Test("Six tracks of an album have one cover and one request", .requirements("R-MC-110", "R-MC-111"))
    func coalescing() async throws {
        let barrier = Barrier()
        let service = FakeService { _, _ throws(EarshotError) in
            []
        } content: { _ throws(EarshotError) in
            await barrier.pass()
            return ContentAnswer(status: 200, mimeType: "image/png", bytes: Data(#"{"paragraphs":["One."]}"#.utf8))
        }
        let loader = ContentLoader(service: service, configuration: try configuration())
        let asking = Collector<Int>()
        try await withThrowingTaskGroup(of: ContentLoader.Image?.self) { group in
            for number in 0..<6 {
                let match = match("t\(number)")
                group.addTask {
                    asking.add(number)
                    return try await loader.coverArt(of: match)
                }
            }
            await barrier.arrivals(1)
            // All six have asked before the first has an answer, so that none can find it in the cache.
            while asking.all.count < 6 { await Task.yield() }
            for _ in 0..<100 { #expect(await loader.keptBytes == 0) }
            barrier.open()
            for try await image in group { #expect(image?.data.isEmpty == false) }
        }
        #expect(service.calls == [.content("old-cover")])
        // One request for each of the four kinds, whichever of the six tracks is asked for it.
        for number in 0..<6 {
            let match = match("t\(number)")
            let (cover, face) = (try await loader.coverArt(of: match), try await loader.artistImage(of: match))
            let (review, biography) = (try await loader.review(of: match), try await loader.biography(of: match))
            #expect(cover != nil && face != nil && review?.paragraphs == ["One."] && biography?.paragraphs == ["One."])
        }
        let addresses = ["old-cover", "old-artist", "old-review", "old-biography"]
        #expect(service.calls == addresses.map { FakeService.Call.content($0) })
    }

    @Test("A recognition transfers no byte of a picture: they come when they are asked for", .requirements("R-MC-156"))
    func transfers() async throws {
        let picture = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 256) })
        let service = FakeService { _, _ throws(EarshotError) in
            var match = MusicMatch("t1", album: "a1")
            match.album.coverArt = ContentImage(url: "cover", size: .small, mimeType: "image/png")
            match.artist.image = ContentImage(url: "face", size: .small, mimeType: "image/png")
            return [match]
        } content: { _ throws(EarshotError) in
            ContentAnswer(status: 200, mimeType: "image/png", bytes: picture)
        }
        let (handler, bodies) = (ServiceServer.handler(service), Collector<Data>())
        try await StubServer.with { request in
            let response = await handler(request)
            bodies.add(response.body)
            return response
        } _: { server in
            var configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
            configuration.preferences.coverArt = true
            configuration.preferences.artistImages = true
            let client = RecognitionClient(
                service: HTTPRecognitionService(
                    server.url,
                    configuration: configuration,
                    options: ServiceServer.patient
                )
            )
            let match = try #require(
                try await client.result(of: .stream(try TestMusic.samples()), configuration).best
            )
            #expect(match.album.coverArt?.url.isEmpty == false && match.artist.image?.url.isEmpty == false)
            // What came are a token and the result, in which the picture is not, as it is or as text.
            #expect(server.paths == ["/v1/tokens", "/v1/recognitions"])
            let text = picture.prefix(48).base64EncodedString()
            for body in bodies.all {
                #expect(body.range(of: picture.prefix(16)) == nil)
                #expect(!String(decoding: body, as: UTF8.self).contains(text))
            }
            let loader = ContentLoader(service: client.service, configuration: configuration)
            #expect(try await loader.coverArt(of: match)?.data == picture)
            #expect(server.paths.filter { $0 == "/content" }.count == 1)
            #expect(bodies.all.last == picture)
        }
    }

    @Test("Bytes that are kept have a limit", .requirements("R-MC-223"))
    func bounded() async throws {
        let service = service([200], body: Data(count: 400))
        let loader = ContentLoader(service: service, configuration: try configuration(), limit: 1_000)
        for number in 0..<10 {
            _ = try await loader.coverArt(of: match("t", album: "a\(number)"))
            #expect(await loader.keptBytes <= 1_000)
        }
        _ = try await loader.coverArt(of: match("t", album: "a9"))
        #expect(service.calls.count == 10)
        _ = try await loader.coverArt(of: match("t", album: "a0"))
        #expect(service.calls.count == 11)
    }

    @Test("What a match has no address of is nothing", .requirements("R-MC-178"))
    func bare() async throws {
        let service = service([200])
        let loader = ContentLoader(service: service, configuration: try configuration())
        let bare = MusicMatch("t1")
        let (cover, image) = (try await loader.coverArt(of: bare), try await loader.artistImage(of: bare))
        let (review, biography) = (try await loader.review(of: bare), try await loader.biography(of: bare))
        #expect(cover == nil && image == nil && review == nil && biography == nil)
        #expect(service.calls.isEmpty)
    }

    @Test("A text that is none is malformed")
    func noText() async throws {
        let loader = ContentLoader(service: service([200], body: Data("[]".utf8)), configuration: try configuration())
        await #expect(throws: EarshotError.self) { try await loader.review(of: match()) }
    }

    @Test("An address without identifiers to ask for a new one ends there")
    func nowhere() async throws {
        let service = service([412])
        let loader = ContentLoader(service: service, configuration: try configuration())
        await #expect(throws: EarshotError.self) { try await loader.coverArt(of: match(nil, album: nil)) }
        #expect(service.calls == [.content("old-cover")])
    }

    @Test(
        "All four contents come from a service",
        .requirements(
            "R-MC-156",
            "R-MC-157",
            "R-MC-164",
            "R-MC-169",
            "R-MC-174",
            "R-MC-175",
            "R-MC-176",
            "R-MC-177",
            "R-MC-224"
        ),
        arguments: ServicePath.allCases
    )
    func all(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            let plain = try #require(try await client.result(of: .track("t1"), configuration).best)
            #expect(plain.album.review == nil && plain.artist.biography == nil && plain.artist.image == nil)
            #expect(plain.album.coverArt == nil && plain.track.title == "Lantern")
            var wanting = configuration
            wanting.preferences.coverArt = true
            wanting.preferences.artistImages = true
            let match = try #require(try await client.result(of: .stream(try TestMusic.samples()), wanting).best)
            let loader = ContentLoader(service: client.service, configuration: wanting)
            let cover = try #require(try await loader.coverArt(of: match))
            #expect(cover.data == Data([1, 2, 3]) && cover.mimeType == "image/png" && cover.size == .small)
            let image = try #require(try await loader.artistImage(of: match))
            #expect(image.data == Data([4, 5]) && image.mimeType == "image/jpeg")
            let (review, biography) = (try await loader.review(of: match), try await loader.biography(of: match))
            #expect(review?.paragraphs == ["One.", "Two.", "Three."])
            #expect(biography?.paragraphs == ["Born.", "Played.", "Went."])
        }
    }
}
