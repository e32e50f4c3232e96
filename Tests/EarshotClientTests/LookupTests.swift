import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Searches and fetches")
struct LookupTests {
    static let texts: [MusicQuery] = {
        let (artist, album, track) = ("tin foxes", "morning rail", "lantern")
        return (1...7).map { bits in
            MusicQuery(
                artist: bits & 1 != 0 ? artist : nil,
                album: bits & 2 != 0 ? album : nil,
                track: bits & 4 != 0 ? track : nil
            )
        }
    }()

    @Test(
        "Any combination of artist, album and track is found",
        .requirements("R-MC-119", "R-MC-250"),
        arguments: ServicePath.allCases
    )
    func combinations(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            for query in Self.texts {
                let result = try await client.result(of: .text(query), configuration)
                #expect(!result.matches.isEmpty, "\(query)")
            }
        }
    }

    @Test(
        "All fields of a search reach the service",
        .requirements("R-MC-250"),
        arguments: ServicePath.allCases
    )
    func fieldsOfSearches(path: ServicePath) async throws {
        let service = FakeService()
        try await path.withClient(of: service) { client, configuration in
            let text = MusicQuery(artist: "tin foxes", album: "morning rail", track: "lantern")
            _ = try await client.result(of: .text(text), configuration)
            let lyrics = LyricQuery("over the hill", artist: "tin foxes")
            _ = try await client.result(of: .lyrics(lyrics), configuration)
            #expect(service.calls == [.text(text), .lyrics(lyrics)])
        }
    }

    @Test("What has no words is not asked for", .requirements("R-MC-121"))
    func empty() async throws {
        let service = FakeService()
        try await StubServer.with(ServiceServer.handler(service)) { server in
            let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
            let client = RecognitionClient(
                service: HTTPRecognitionService(
                    server.url,
                    configuration: configuration,
                    options: ServiceServer.patient
                )
            )
            for request in [
                SearchRequest.text(MusicQuery()), .text(MusicQuery(artist: " ")), .lyrics(LyricQuery("\n")),
            ] {
                let trace = await Trace(client.begin(request, configuration))
                #expect(trace.failure?.code == .requestInvalid)
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test(
        "Searches answer several, whatever recognitions do",
        .requirements("R-MC-122", "R-MC-124", "R-MC-123"),
        arguments: ServicePath.allCases
    )
    func several(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            #expect(configuration.preferences.singleBestMatch)
            let text = try await client.result(of: .text(MusicQuery("tin foxes")), configuration)
            #expect(text.matches.count > 1)
            let words = try await client.result(of: .lyrics(LyricQuery("lantern")), configuration)
            #expect(words.matches.count == 2)
            #expect(words.matches.contains { $0.track.id == nil && $0.track.title == "Unknown" })
            let narrow = try await client.result(of: .lyrics(LyricQuery("lantern", artist: "tin foxes")), configuration)
            #expect(narrow.matches.map(\.track.id) == ["t1"])
        }
    }

    @Test(
        "An identifier, kept as text or typed, leads to its track and album",
        .requirements("R-MC-125", "R-MC-126", "R-MC-127", "R-MC-128"),
        arguments: ServicePath.allCases
    )
    func fetches(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            let first = try await client.result(of: .text(MusicQuery(track: "lantern")), configuration)
            let stored = try #require(first.best?.track.id?.rawValue)
            var wanting = configuration
            wanting.preferences.review = true
            let track = try await client.result(of: .track(EntityID(stored)), wanting)
            #expect(track.matches.count == 1 && track.best?.track.id?.rawValue == stored)
            #expect(track.best?.album.review == ["One.", "Two.", "Three."])
            let album = try await client.result(of: .album("al1"), configuration)
            #expect(album.matches.count == 1 && album.best?.album.id == "al1" && album.best?.album.review == nil)
        }
    }

    @Test(
        "A cover comes with the best match, and by a fetch for one that was chosen",
        .requirements("R-MC-012", "R-MC-133", "R-MC-134", "R-MC-135"),
        arguments: ServicePath.allCases
    )
    func covers(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            let samples = try TestMusic.samples()
            let plain = try await client.result(of: .stream(samples), configuration)
            #expect(plain.best != nil && plain.best?.album.coverArt == nil)
            var wanting = configuration
            wanting.preferences.coverArt = true
            let single = try await client.result(of: .stream(samples), wanting)
            #expect(single.best?.album.coverArt?.size == .small)
            #expect(single.best?.album.coverArt?.url.isEmpty == false)
            wanting.preferences.singleBestMatch = false
            let several = try await client.result(of: .stream(samples), wanting)
            #expect(!several.matches.isEmpty && several.matches.allSatisfy { $0.album.coverArt == nil })
            let chosen = try #require(several.best?.track.id)
            let fetched = try await client.result(of: .track(chosen), wanting)
            #expect(fetched.best?.album.coverArt?.url.isEmpty == false)
        }
    }

    @Test(
        "Fields of a match come over the wire",
        .requirements(
            "R-MC-187",
            "R-MC-188",
            "R-MC-190",
            "R-MC-191",
            "R-MC-192",
            "R-MC-197",
            "R-MC-198",
            "R-MC-199",
            "R-MC-196"
        ),
        arguments: ServicePath.allCases
    )
    func fields(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            let best = try #require(try await client.result(of: .stream(try TestMusic.samples()), configuration).best)
            #expect(best.album.links == [ExternalLink(source: "shop", id: "007a")])
            #expect(best.track.links == [ExternalLink(source: "radio", id: "r0")])
            #expect(best.track.number == 1 && best.album.trackCount == 3 && best.album.releaseYear == "1999")
            #expect(best.track.title == "Lantern" && best.album.title == "Morning Rail")
            // Of lyrics without a track nothing but words and names is known.
            let words = try await client.result(of: .lyrics(LyricQuery("lantern")), configuration)
            let bare = try #require(words.matches.first { $0.track.id == nil })
            #expect(bare.track.title == "Unknown" && bare.track.number == -1 && bare.album.trackCount == -1)
            #expect(bare.track.links == nil && bare.album.links == nil)
            let text = try await client.result(of: .text(MusicQuery(track: "lantern")), configuration)
            let fetched = try await client.result(of: .track("t1"), configuration)
            for found in [text.best, fetched.best] {
                #expect(found?.track.links == best.track.links && found?.album.links == best.album.links)
            }
        }
    }

    @Test("A fetch is answered from the cache until it is too old", .requirements("R-MC-129"))
    func cache() async throws {
        let (clock, service) = (ManualClock(), FakeService())
        let cache = ResultCache(limit: 2, age: MediaTime(value: 600, timescale: 1), clock: clock.clock)
        try await ServicePath.inProcess.withClient(of: service, cache: cache) { client, configuration in
            for _ in 0..<3 { _ = try await client.result(of: .track("a"), configuration) }
            #expect(service.calls == [.track("a")])
            var german = configuration
            german.preferences.language = "deu"
            _ = try await client.result(of: .track("a"), german)
            _ = try await client.result(of: .album("a"), configuration)
            // Two are kept: the oldest went.
            #expect(cache.count == 2)
            _ = try await client.result(of: .track("a"), configuration)
            #expect(service.calls == [.track("a"), .track("a"), .album("a"), .track("a")])
            clock.advance(by: 601)
            _ = try await client.result(of: .track("a"), configuration)
            #expect(service.calls.count == 5)
        }
    }
}
