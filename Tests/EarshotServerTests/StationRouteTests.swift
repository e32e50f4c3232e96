import EarshotAPI
import EarshotBroadcast
import EarshotCore
import EarshotStations
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Stations of a monitor over HTTP")
struct StationRouteTests {
    private static func run(_ body: (TestService, TestStations) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let stations = try await TestStations(folder)
            try await TestService.run(stations: stations.sources) { service in try await body(service, stations) }
        }
    }

    private static func object(_ reply: TestService.Reply) throws -> [String: Any] {
        #expect(reply.status == 200)
        return try #require(try JSONSerialization.jsonObject(with: reply.bytes) as? [String: Any])
    }

    private static func objects(_ value: Any?) throws -> [[String: Any]] {
        try #require(value as? [[String: Any]])
    }

    @Test("the list tells what is on, the level, the guide and the last break in which anything was missed")
    func list() async throws {
        try await Self.run { service, stations in
            try stations.tell(at: service.time.now)
            let list = try Self.object(try await service.ask(.GET, "/v1/stations", token: service.admin))
            #expect(list["monitor"] as? String == "running")
            let records = try Self.objects(list["stations"])
            #expect(records.map { $0["id"] as? String } == ["one", "two"])
            let (one, two) = (records[0], records[1])
            #expect(one["isLive"] as? Bool == true)
            #expect(one["level"] as? Double == -18.25)
            #expect(try Self.objects(one["playing"]).map { $0["title"] as? String } == ["Lantern"])
            #expect((one["now"] as? [String: Any])?["title"] as? String == "Harbour")
            #expect((one["next"] as? [String: Any])?["title"] as? String == "News")
            #expect((one["lastBreak"] as? [String: Any])?["end"] as? String == "2027-01-15T07:51:00Z")
            #expect(try Self.objects(one["recent"]).count == 3)
            #expect(two["isLive"] as? Bool == false)
            #expect(two["fault"] as? String == "The stream ended.")
            #expect(two["lastBreak"] == nil)
        }
    }

    @Test("a monitor that tells nothing any more has ended, and one that never told anything was not started")
    func ended() async throws {
        try await Self.run { service, stations in
            func monitor() async throws -> String? {
                let reply = try await service.ask(.GET, "/v1/stations", token: service.admin)
                return try Self.object(reply)["monitor"] as? String
            }
            #expect(try await monitor() == "neverStarted")
            try stations.tell(at: service.time.now)
            // A list is kept for half a second.
            try await Task.sleep(for: .milliseconds(600))
            #expect(try await monitor() == "running")
            service.time.advance(60)
            try await Task.sleep(for: .milliseconds(600))
            #expect(try await monitor() == "ended")
        }
    }

    @Test("a day begins in the station's zone, and is a record or a file")
    func day() async throws {
        try await Self.run { service, _ in
            let path = "/v1/stations/two/plays"
            let day = try Self.object(try await service.ask(.GET, path, token: service.admin))
            #expect(day["day"] as? String == "2027-01-15")
            #expect(day["start"] as? String == "2027-01-14T15:00:00Z")
            #expect(try Self.objects(day["plays"]).map { $0["title"] as? String } == ["News"])
            #expect(try Self.objects(day["guide"]).count == 1)
            let before = try await service.ask(.GET, "\(path)?day=2027-01-14&format=csv", token: service.admin)
            #expect(before.headers.first(name: "Content-Disposition") == "attachment; filename=\"two-2027-01-14.csv\"")
            let lines = String(decoding: before.bytes, as: UTF8.self).split(separator: "\r\n")
            #expect(lines.count == 2 && lines[1].contains("Lantern"))
            #expect(try await service.ask(.GET, "\(path)?day=yesterday", token: service.admin).status == 400)
            #expect(try await service.ask(.GET, "\(path)?format=pdf", token: service.admin).status == 400)
            #expect(try await service.ask(.GET, "/v1/stations/three/plays", token: service.admin).status == 404)
        }
    }

    @Test("the log beside the guide says what was heard of what was announced")
    func comparison() async throws {
        try await Self.run { service, _ in
            service.time.advance(7_200)
            let path = "/v1/stations/two/comparison?day=2027-01-15"
            let object = try Self.object(try await service.ask(.GET, path, token: service.admin))
            let entry = try #require(try Self.objects(object["entries"]).first)
            #expect(entry["title"] as? String == "News")
            #expect(entry["outcome"] as? String == "moved")
            #expect(entry["heardStart"] as? String == "2027-01-15T08:06:00Z")
            #expect(entry["heardSeconds"] as? Double == 3_600)
        }
    }

    @Test("the report of a day is a record or a table, of all stations or one")
    func report() async throws {
        try await Self.run { service, _ in
            service.time.advance(7_200)
            let path = "/v1/stations/report?day=2027-01-15"
            let all = try Self.object(try await service.ask(.GET, path, token: service.admin))
            #expect(try Self.objects(all["channels"]).count == 2)
            let one = try Self.object(try await service.ask(.GET, "\(path)&station=one", token: service.admin))
            #expect(try Self.objects(one["channels"]).count == 1)
            #expect(try Self.objects(one["gaps"]).count == 1)
            let table = try await service.ask(.GET, "\(path)&format=csv", token: service.admin)
            #expect(String(decoding: table.bytes, as: UTF8.self).hasPrefix("day,time_zone,section"))
        }
    }

    @Test("songs are found by words, and their plays across stations come page by page")
    func songs() async throws {
        try await Self.run { service, _ in
            let found = try Self.object(
                try await service.ask(.GET, "/v1/plays/songs?q=foxes%20lantern", token: service.admin)
            )
            let songs = try Self.objects(found["songs"])
            try #require(songs.map { $0["reference"] as? String } == ["lantern"])
            #expect(songs[0]["plays"] as? Int == 3 && songs[0]["stations"] as? Int == 2)
            let first = try Self.object(
                try await service.ask(.GET, "/v1/plays?reference=lantern&limit=2", token: service.admin)
            )
            #expect(try Self.objects(first["plays"]).map { $0["station"] as? String } == ["one", "one"])
            let next = try #require(first["next"] as? String)
            let second = try Self.object(
                try await service.ask(.GET, "/v1/plays?reference=lantern&limit=2&after=\(next)", token: service.admin)
            )
            #expect(try Self.objects(second["plays"]).map { $0["station"] as? String } == ["two"])
            #expect(second["next"] == nil)
            #expect(try await service.ask(.GET, "/v1/plays?after=here", token: service.admin).status == 400)
        }
    }

    @Test("repeats are listened to, named and dismissed by orders that the monitor takes away")
    func repeats() async throws {
        try await Self.run { service, stations in
            try stations.offer()
            let audio = try await service.ask(.GET, "/v1/repeats/repeat-1/audio", token: service.admin)
            #expect(audio.status == 200 && audio.bytes.starts(with: Data("RIFF".utf8)))
            // Whatever the list names, nothing but a recording is sent.
            #expect(try await service.ask(.GET, "/v1/repeats/repeat-2/audio", token: service.admin).status == 404)
            let named = try await service.ask(
                .PUT,
                "/v1/repeats/repeat-1/name",
                token: service.admin,
                json: ["title": " Soap ", "artist": "", "kind": "advertisement"]
            )
            #expect(named.status == 204)
            #expect(try await service.ask(.DELETE, "/v1/repeats/repeat-2", token: service.admin).status == 204)
            #expect(try await service.ask(.DELETE, "/v1/repeats/repeat-3", token: service.admin).status == 404)
            let orders = stations.repeats.pendingOrders()
            #expect(
                Set(orders) == [
                    RepeatOrder(name: "repeat-1", title: "Soap", kind: "advertisement"),
                    RepeatOrder(dismiss: "repeat-2"),
                ]
            )
            let list = try Self.object(try await service.ask(.GET, "/v1/repeats", token: service.admin))
            let offered = try Self.objects(list["repeats"])
            #expect(offered[0]["title"] as? String == "Soap" && offered[1]["isDismissed"] as? Bool == true)
        }
    }

    @Test("webhooks are told without secrets, and a wish to send again waits for the monitor")
    func webhooks() async throws {
        try await Self.run { service, stations in
            let list = try Self.object(try await service.ask(.GET, "/v1/webhooks", token: service.admin))
            let webhook = try #require(try Self.objects(list["webhooks"]).first)
            #expect(webhook["address"] as? String == "https://shop.example/plays")
            #expect(try await service.ask(.POST, "/v1/webhooks/shop/retry", token: service.admin).status == 204)
            #expect(try await service.ask(.POST, "/v1/webhooks/other/retry", token: service.admin).status == 404)
            #expect(stations.states.takeRetries() == ["shop"])
            #expect(stations.states.takeRetries().isEmpty)
        }
    }

    @Test("changes are told as they happen, and the connection ends with the service")
    func events() async throws {
        try await Self.run { service, stations in
            try stations.tell(at: service.time.now)
            let station = StationService(stations.sources, guide: service.server.parts.guide)
            let shutdown = ShutdownFlag()
            var iterator = station.changes(now: { service.time.now }, until: shutdown).makeAsyncIterator()
            #expect(await iterator.next()?.stations.first?.isLive == true)
            try await stations.store.put(
                PlayRecord(
                    channel: TestStations.channel(TestStations.two),
                    start: TestStations.start - 20,
                    referenceID: "soap",
                    title: "Soap"
                )
            )
            #expect(await iterator.next()?.stations.last?.playing.first?.title == "Soap")
            shutdown.raise()
            #expect(await iterator.next() == nil)
        }
    }

    @Test("stations are for the operator, and a service without a monitor says how to name one")
    func access() async throws {
        try await Self.run { service, _ in
            let token = try await service.token()
            for path in ["/v1/stations", "/v1/plays", "/v1/repeats", "/v1/webhooks", "/v1/live-channels"] {
                #expect(try await service.ask(.GET, path, token: token).status == 403, "\(path)")
            }
        }
        try await TestService.run { service in
            let reply = try await service.ask(.GET, "/v1/stations", token: service.admin)
            #expect(reply.status == 404 && reply.code == "entityNotFound")
            #expect(String(decoding: reply.bytes, as: UTF8.self).contains("--stations"))
            let live = try await service.ask(.GET, "/v1/live-channels", token: service.admin)
            #expect(live.status == 200)
        }
    }

    @Test("an answer has no member that the description does not name")
    func members() async throws {
        try await Self.run { service, stations in
            try stations.tell(at: service.time.now)
            func check(_ name: String, _ object: [String: Any]) {
                guard case .object(let known)? = Schemas.all[name]?["properties"] else {
                    Issue.record("there is no schema \(name)")
                    return
                }
                #expect(Set(object.keys).isSubset(of: Set(known.keys)), "\(name)")
            }
            let list = try Self.object(try await service.ask(.GET, "/v1/stations", token: service.admin))
            check("StationList", list)
            for record in try Self.objects(list["stations"]) { check("StationRecord", record) }
            let day = try Self.object(try await service.ask(.GET, "/v1/stations/one/plays", token: service.admin))
            check("StationDay", day)
            for play in try Self.objects(day["plays"]) { check("LoggedPlay", play) }
            let report = try await service.ask(.GET, "/v1/stations/report", token: service.admin)
            check("StationReport", try Self.object(report))
        }
    }
}
