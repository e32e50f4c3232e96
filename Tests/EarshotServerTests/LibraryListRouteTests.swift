import EarshotAPI
import EarshotCore
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Lists of the library over HTTP")
struct LibraryListRouteTests {
    private func albums(_ service: TestService, _ query: String = "") async throws -> LibraryAlbumPage {
        while true {
            let reply = try await service.ask(.GET, "/v1/library/albums\(query)", token: service.admin)
            #expect(reply.status == 200)
            let page = try reply.decoded(LibraryAlbumPage.self)
            if page.isComplete { return page }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test("albums and tracks are listed with what their files are called")
    func lists() async throws {
        try await TestMedia.run { (service: TestService, _: TestMedia) async throws in
            let page = try await albums(service)
            #expect(page.total == 1 && page.albums.count == 1 && page.indexed >= 3)
            let album = try #require(page.albums.first)
            #expect(album.tracks.count == 3, "\(album)")
            #expect(album.tracks.allSatisfy { $0.asset.hasPrefix("music/Album/") && ($0.duration ?? 0) > 1 })
            let rest = try await albums(service, "?offset=1")
            #expect(rest.albums.isEmpty && rest.total == 1)
            let reply = try await service.ask(.GET, "/v1/library/tracks?limit=2", token: service.admin)
            let tracks = try reply.decoded(LibraryTrackPage.self)
            #expect(tracks.tracks.count == 2 && tracks.total == tracks.indexed)
            #expect(try await service.ask(.GET, "/v1/library/albums?limit=0", token: service.admin).status == 400)
        }
    }

    @Test("a search names the files of its candidates where that is asked for")
    func namedCandidates() async throws {
        try await TestMedia.run { (service: TestService, _: TestMedia) async throws in
            _ = try await albums(service)
            let path = "/v1/library/search?q=surround"
            let plain = try await service.ask(.GET, path, token: service.admin).decoded(LibraryAnswer.self)
            #expect(plain.candidates.first?.tracks == nil)
            let named = try await service.ask(.GET, "\(path)&tracks=1", token: service.admin).decoded(
                LibraryAnswer.self
            )
            #expect(named.candidates.first?.tracks?.map(\.asset) == ["music/surround.wav"])
            #expect(named.candidates.first?.tracks?.first?.title == "surround")
        }
    }
}
