import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@testable import EarshotStations

@Suite("The files of a monitor for other programs")
struct MonitorFolderTests {
    private static let date = Date(timeIntervalSince1970: 1_777_658_400)

    @Test("states are read as they were written, by their owner alone, and nothing is there before")
    func states() throws {
        try withTemporaryFolder { url in
            let folder = MonitorFolder(url)
            #expect(try folder.status() == nil)
            #expect(try folder.webhooks().isEmpty)
            let zone = try #require(TimeZone(identifier: "Europe/Vienna"))
            var station = MonitorStatus.Station(StationDescription(id: "one", timeZone: zone))
            (station.isLive, station.level) = (true, MonitorStatus.Station.told(level: -.infinity))
            let status = MonitorStatus(started: Self.date, date: Self.date, stations: [station])
            try folder.write(status)
            #expect(try folder.status() == status)
            #expect(try folder.status()?.stations[0].level == -120)
            #expect(try folder.status()?.stations[0].station.zone == zone)
            let file = url.appendingPathComponent("status.json")
            let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(rights == 0o600)
            try Data("{}".utf8).write(to: file)
            let error = #expect(throws: EarshotError.self) { try folder.status() }
            #expect(error?.code == .storeDamaged)
        }
    }

    @Test("a monitor runs until it says that it has ended, or tells nothing for a quarter of a minute")
    func running() {
        var status = MonitorStatus(started: Self.date, date: Self.date, stations: [])
        #expect(status.isRunning(at: Self.date + 14))
        #expect(!status.isRunning(at: Self.date + 15))
        // A clock that was put back.
        #expect(status.isRunning(at: Self.date - 3_600))
        status.hasEnded = true
        #expect(!status.isRunning(at: Self.date))
    }

    @Test("of a webhook the last fifty deliveries are kept, and of its address nothing that may be secret")
    func webhooks() {
        var webhook = WebhookStatus(name: "shop", address: "https://me:secret@shop.example:8443/plays?key=secret#1")
        #expect(webhook.address == "https://shop.example:8443/plays")
        for number in 0..<60 {
            webhook.add(
                WebhookStatus.Delivery(
                    id: "shop-\(number)",
                    date: Self.date,
                    changes: 1,
                    status: 200,
                    fault: nil,
                    seconds: 0.1
                )
            )
        }
        #expect(webhook.deliveries.count == WebhookStatus.limit && webhook.deliveries[0].id == "shop-59")
    }

    @Test("requests wait until they are taken, each once, and what is none is taken away")
    func requests() throws {
        try withTemporaryFolder { url in
            let folder = MonitorFolder(url)
            #expect(folder.takeRetries().isEmpty)
            try folder.requestRetry(of: "shop")
            try folder.requestRetry(of: "shop")
            try folder.requestRetry(of: "till")
            let other = url.appendingPathComponent("requests/other.json")
            try Data("no request".utf8).write(to: other)
            #expect(folder.takeRetries() == ["shop", "till"])
            #expect(folder.takeRetries().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: other.path))
        }
    }
}
