import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Histories over HTTP")
struct HistoryRouteTests {
    private func page(_ service: TestService, _ token: String, _ query: String = "") async throws -> HistoryPage {
        try await service.ask(.GET, "/v1/history\(query)", token: token).decoded(HistoryPage.self)
    }

    @Test("an answer names the entry that keeps it, and a place is put there", .requirements("R-MC-227", "R-MC-235"))
    func places() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.userToken(client)
            for (seed, entry) in [(1, 1), (2, 2)] as [(UInt64, Int)] {
                let list = try await service.recognize(seed, token: token).decoded(MatchList.self)
                #expect(list.historyEntry == entry)
            }
            #expect(try await service.recognize(999, token: token).decoded(MatchList.self).historyEntry == nil)
            let alone = try await service.recognize(1, token: try await service.token(client))
            #expect(try alone.decoded(MatchList.self).historyEntry == nil)

            let vienna = try #require(HistoryPlace(latitude: 48.2, longitude: 16.37, accuracy: 30))
            #expect(try await service.ask(.PUT, "/v1/history/2/place", token: token, json: vienna).status == 204)
            #expect(try await page(service, token).entries.map(\.place) == [vienna, nil])
            #expect(try await service.ask(.PUT, "/v1/history/3/place", token: token, json: vienna).status == 404)
            let other = try await service.userToken(client)
            #expect(try await service.ask(.PUT, "/v1/history/1/place", token: other, json: vienna).status == 404)
            for wrong in [["latitude": 91.0, "longitude": 0], ["latitude": 1]] {
                let reply = try await service.ask(.PUT, "/v1/history/1/place", token: token, json: wrong)
                #expect(reply.status == 400)
            }
            #expect(try await service.ask(.DELETE, "/v1/history/2/place", token: token).status == 204)
            #expect(try await page(service, token).entries.map(\.place) == [nil, nil])
            #expect(try await service.ask(.DELETE, "/v1/history/x/place", token: token).status == 400)
        }
    }

    @Test("a history is searched, with covers where they are asked for")
    func searching() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.userToken(try await service.client())
            for seed in [1, 2, 4] as [UInt64] { _ = try await service.recognize(seed, token: token) }
            let found = try await page(service, token, "?q=tin%20FOX")
            #expect(found.total == 1 && found.entries.map(\.match.track.title) == ["Lantern"])
            #expect(found.entries.first?.match.album.coverArt == nil)
            let withCover = try await page(service, token, "?coverArt=1&sizes=SMALL")
            #expect(withCover.entries.count == 3)
            let cover = try #require(withCover.entries.last?.match.album.coverArt)
            #expect(cover.size == .small)
            #expect(try await service.ask(.GET, cover.url).status == 200)
            #expect(try await page(service, token, "?q=lantern&offset=1").entries.isEmpty)
        }
    }

    @Test("a history is written for ListenBrainz, and as a whole")
    func exporting() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.userToken(try await service.client())
            #expect(try await service.ask(.GET, "/v1/history/export", token: token).bytes.isEmpty, "no lines")
            for seed in [1, 2] as [UInt64] { _ = try await service.recognize(seed, token: token) }
            let place = try #require(HistoryPlace(latitude: 48.2, longitude: 16.37))
            _ = try await service.ask(.PUT, "/v1/history/1/place", token: token, json: place)
            let reply = try await service.ask(.GET, "/v1/history/export", token: token)
            #expect(reply.headers.first(name: "Content-Type") == "application/x-ndjson")
            #expect(reply.headers.first(name: "Content-Disposition")?.contains("attachment") == true)
            let object = try #require(try JSONSerialization.jsonObject(with: reply.bytes) as? [String: Any])
            #expect(object["listen_type"] as? String == "import")
            let payload = try #require(object["payload"] as? [[String: Any]])
            let tracks = payload.compactMap { $0["track_metadata"] as? [String: Any] }
            #expect(Set(tracks.compactMap { $0["track_name"] as? String }) == ["Lantern", "Plain"])
            #expect(payload.allSatisfy { $0["listened_at"] is Int })
            #expect(!String(decoding: reply.bytes, as: UTF8.self).contains("48.2"))
            let whole = try await service.ask(.GET, "/v1/history/export?format=json", token: token)
            #expect(try whole.decoded(HistoryPage.self).entries.last?.place == place)
            #expect(try await service.ask(.GET, "/v1/history/export?format=csv", token: token).status == 400)
        }
    }
}
