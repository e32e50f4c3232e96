import ArgumentParser
import Earshot
import EarshotMetadata
import EarshotMonitor
import EarshotSQLite
import Foundation

extension MonitorCommand {
    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Follow stations around the clock, and write what they play into a playlog.",
            discussion: """
                The file of settings is JSON:

                  {"catalog": "music.earcat", "playlog": "playlog.sqlite", "state": "state",
                   "stations": [
                     {"id": "radio1", "name": "Radio One", "url": "http://radio.example/stream"},
                     {"id": "ads", "url": "http://tv.example/audio", "catalog": "ads.earcat", "spots": true},
                     {"id": "tape", "file": "evening.flac"}]}

                Paths are from the file's folder on. Each station has an id and one of url, device and file; a file is heard \
                as if it were live, and once. catalog, spots (advertisements and jingles behind one another) and callerRef \
                may differ for each. A stream that breaks off is opened again. Ctrl-C ends it; run again, it goes on where it \
                was, with plays that had not ended.

                EXAMPLES
                  earshot monitor run stations.json
                  earshot monitor run stations.json --jsonl
                  earshot playlog report
                """
        )

        @Argument(help: "The file of settings.", completion: .file(extensions: ["json"]))
        var config: String

        @Flag(name: .long, help: "Print one JSON object a line.")
        var jsonl = false

        @Flag(name: .long, help: "When it ends, end the plays that go on, instead of taking them up at the next start.")
        var finish = false

        func run() async throws {
            let settings = try StationSettings(path: config)
            let stations = try settings.stations()
            let playlog = settings.playlog
            try FileManager.default.createDirectory(
                at: playlog.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let store = try SQLitePlaylogStore(url: playlog)
            let monitor = StationMonitor(store: store, states: try FileStationStateStore(folder: settings.state))
            let report = StationReport(isJSON: jsonl, count: stations.count)
            let events = monitor.events()
            let reader = Task {
                for await event in events where report.take(event) { break }
            }
            let interruption = Interruption(ending: { reader.cancel() })
            defer { withExtendedLifetime(interruption) {} }
            for station in stations { try await monitor.add(station) }
            if !jsonl {
                Console.note(
                    "Following \(Wording.plural(stations.count, "station", "stations")); plays go to \(playlog.path)."
                )
            }
            // Until it is interrupted, or all stations were files and are over.
            await reader.value
            try await monitor.stop(finish: finish)
        }
    }
}
