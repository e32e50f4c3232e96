import EarshotAPI
import EarshotCore
import EarshotMusic
@testable import EarshotRecognition
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Searching over HTTP")
struct SearchRouteTests {
    @Test(
        "any combination of fields finds the track",
        .requirements("R-MC-119"),
        arguments: [
            ["artist=tin+foxes"], ["album=morning"], ["track=lantern"], ["artist=tin%20foxes", "album=rail"],
            ["artist=foxes", "track=lantern"], ["album=rail", "track=lantern"],
            ["artist=foxes", "album=rail", "track=lantern"],
        ]
    )
    func combinations(fields: [String]) async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let all = try await service.ask(.GET, "/v1/search?" + fields.joined(separator: "&"), token: token)
            #expect(all.status == 200)
            #expect(!all.matches.isEmpty)
            #expect(all.matches.first?.artist.name ?? all.matches.first?.album.artist == "The Tin Foxes")
        }
    }

    @Test("a field more never finds more", .requirements("R-MC-120"))
    func narrowing() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            func found(_ fields: String...) async throws -> Set<String> {
                let reply = try await service.ask(.GET, "/v1/search?" + fields.joined(separator: "&"), token: token)
                return Set(reply.matches.compactMap(\.track.id?.rawValue))
            }
            let all = try await found("track=shared")
            #expect(all == ["shared-own", "shared-sampler"])
            #expect(try await found("track=shared", "album=own") == ["shared-own"])
            #expect(try await found("track=shared", "album=sampler") == ["shared-sampler"])
            #expect(try await found("track=shared", "artist=nobody").isSubset(of: all))
            #expect(try await found("track=shared", "artist=nobody", "album=own") == ["shared-own"])
            #expect(try await found("track=shared", "artist=foxes").isEmpty)
        }
    }

    @Test("words that are sung find their track")
    func lyrics() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let found = try await service.ask(.GET, "/v1/lyrics?fragment=over+the+hill", token: token)
            #expect(found.matches.first?.track.id == "lantern")
            let narrowed = try await service.ask(
                .GET,
                "/v1/lyrics?fragment=over+the+hill&artist=somebody+else",
                token: token
            )
            #expect(narrowed.matches.isEmpty)
            let words = try await service.ask(.GET, "/v1/tracks/lantern/lyrics", token: token).decoded(LyricList.self)
            #expect(words.lyrics.first?.lines.first?.text == "Carry the lantern over the hill")
            #expect(words.lyrics.first?.lines.first?.start == 0)
        }
    }

    @Test("tracks, albums and artists are fetched by their ids", .requirements("R-MC-125", "R-MC-126", "R-MC-127"))
    func fetching() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            #expect(
                try await service.ask(.GET, "/v1/tracks/lantern", token: token).matches.first?.track.id == "lantern"
            )
            #expect(
                try await service.ask(.GET, "/v1/albums/rail?coverArt=1", token: token).matches.first?.album.id
                    == "rail"
            )
            #expect(
                try await service.ask(.GET, "/v1/albums/rail/tracks", token: token).matches.map(\.track.id) == [
                    "lantern"
                ]
            )
            let artist = try #require(
                try await service.ask(.GET, "/v1/artists/foxes?era=1", token: token).matches.first
            )
            #expect(artist.artist.name == "The Tin Foxes")
            #expect(artist.artist.reading == "すずのきつね")
            #expect(!artist.artist.origin.isEmpty && !artist.artist.era.isEmpty && !artist.artist.type.isEmpty)
            #expect(
                try await service.ask(.GET, "/v1/artists/foxes/albums", token: token).matches.map(\.album.id) == [
                    "rail"
                ]
            )
            for path in ["tracks/x", "albums/x", "artists/x", "tracks/x/lyrics", "albums/x/tracks", "artists/x/albums"]
            {
                let reply = try await service.ask(.GET, "/v1/\(path)", token: token)
                #expect(reply.status == 404 && reply.code == "entityNotFound", "\(path)")
            }
            let found = try await service.ask(.GET, "/v1/lookup?scheme=isrc&value=US-S1Z-99-00001", token: token)
            #expect(Set(found.matches.compactMap(\.track.id)) == ["shared-own", "shared-sampler"])
        }
    }

    @Test(
        "a request that makes no sense is told what is wrong with it",
        arguments: [
            ("/v1/search", "give q, artist, album or track"), ("/v1/search?q=a&limit=0", "1 to 100"),
            ("/v1/search?q=a&limit=x", "limit"),
            ("/v1/search?q=a&offset=-1", "offset"), ("/v1/search?q=a&coverArt=maybe", "coverArt"),
            ("/v1/search?q=a&genreLevel=ALL", "genreLevel"), ("/v1/lyrics", "fragment"),
            ("/v1/lookup?scheme=x&value=1", "scheme"),
            ("/v1/lookup?scheme=isrc&value=1", "check digit"), ("/v1/tracks/lantern?mood=2", "mood"),
        ]
    )
    func senseless(path: String, told: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let reply = try await service.ask(.GET, path, token: try await service.token())
            #expect(reply.status == 400)
            #expect(reply.code == "requestInvalid")
            #expect(try reply.decoded(Failure.self).error.message.contains(told))
        }
    }
}
