import EarshotBroadcast
import EarshotCore
@testable import EarshotMusic
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@testable import LibraryCommands

@Suite("earshot monitor run, and a stream that is lost")
struct StationLossCommandTests {
    @Test(
        "A stream whose server stops sending and keeps the connection is lost, and so says everything that tells of it"
    )
    func stalled() async throws {
        let shop = try await Workshop.shared()
        let wave = try Data(contentsOf: shop.folder.appendingPathComponent(Workshop.clipName))
        let server = try LoopbackServer()
        defer { server.stop() }
        server.publish(wave, at: "/live")
        // 12 s, and then nothing; whoever comes later finds no stream.
        server.fail("/live", .stalled(after: 12 * 32_000 + 44))
        for _ in 0..<100 { server.fail("/live", .status(404)) }
        try await withTemporaryFolder { folder in
            let settings = folder.appendingPathComponent("stations.json")
            let document: [String: Any] = [
                "catalog": shop.catalog.path, "playlog": "plays.sqlite", "state": "state", "events": "127.0.0.1:0",
                "stations": [["id": "live", "name": "Live", "url": server.url("/live").absoluteString]],
            ]
            try JSONSerialization.data(withJSONObject: document).write(to: settings)
            let monitor = try await RunningMonitor(settings, in: folder)
            let live = try await monitor.station { $0["isLive"] as? Bool == true }
            #expect(live["isLive"] as? Bool == true)
            let lost = try await monitor.station {
                $0["isLive"] as? Bool == false && ($0["suspended"] as? [Any])?.isEmpty == false
            }
            #expect(lost["isLive"] as? Bool == false && lost["lostSince"] as? String != nil)
            #expect((lost["playing"] as? [Any])?.isEmpty == true)
            #expect((lost["suspended"] as? [[String: Any]])?.first?["state"] as? String == "provisional")
            #expect(monitor.lines.contains { $0["kind"] as? String == "lost" })
            // The gap is in the log, where events and webhooks take it from, and in the report while it goes on.
            let log = folder.appendingPathComponent("plays.sqlite")
            let changes = try await SQLitePlaylogStore(url: log).changes(after: 0, limit: 100).changes
            #expect(changes.filter { $0.event == .streamLost }.count == 1)
            let report = try await Workshop.earshot.run(
                ["playlog", "report", "--playlog", log.path, "--picture", folder.path + "/day.svg"]
            )
            #expect(report.output.contains("goes on") && report.output.contains("streamLost"), "\(report.output)")
            let picture = try String(contentsOf: folder.appendingPathComponent("day.svg"), encoding: .utf8)
            #expect(picture.contains("not heard 1 "))
            #expect(await monitor.stop() == 0)
        }
    }

    @Test("A gap that has no end yet is drawn until now, and one in which nothing was missed is not drawn")
    func picture() throws {
        let start = Date(timeIntervalSince1970: 1_777_660_200)
        let channel = PlayChannel(id: "one", name: "Radio One")
        let plot = PlaylogPlot(
            title: "Plays",
            span: start..<start.addingTimeInterval(86_400),
            plays: [],
            gaps: [
                StreamGap(channel: channel, start: start.addingTimeInterval(3_600)),
                StreamGap(channel: channel, start: start.addingTimeInterval(60), end: start.addingTimeInterval(60)),
            ],
            heard: [DetectedInterval(channel: channel, start: start, end: start.addingTimeInterval(3_600))],
            until: start.addingTimeInterval(3_720)
        )
        let row = try #require(plot.rows.first)
        #expect(row.gaps.map(\.start) == [start.addingTimeInterval(3_600)])
        #expect(row.gaps.map(\.end) == [start.addingTimeInterval(3_720)])
        #expect(row.heardSeconds == 3_600)
    }
}
