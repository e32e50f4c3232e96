import ArgumentParser
import CommandKit
import Earshot
import EarshotMusic
import EarshotPostgreSQL
import EarshotSQLite
import EarshotStations
import Foundation
import Synchronization

extension MonitorCommand {
    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Follow stations around the clock, and write what they play into a playlog.",
            discussion: """
                The file of settings is JSON:

                  {"catalog": "music.earcat", "playlog": "playlog.sqlite", "state": "state",
                   "stations": [
                     {"id": "radio1", "name": "Radio One", "url": "http://radio.example/stream", "repeats": true},
                     {"id": "ads", "url": "http://tv.example/audio", "catalog": "ads.earcat", "spots": true},
                     {"id": "tape", "file": "evening.flac"}],
                   "events": "127.0.0.1:8480",
                   "webhooks": [{"url": "https://shop.example/plays", "secretFile": "shop.secret"}]}

                Paths are from the file's folder on. Each station has an id and one of url, device and file. A file is heard \
                as if it were live, and once; with since, a date, it is a recording whose first sample was heard then, and is \
                read as fast as it goes. catalog, spots (advertisements and jingles behind one another), callerRef, repeats \
                (offer unknown audio that is repeated) and live (keep the last hours, {"hours": 24}) may differ for each. A \
                stream that breaks off is opened again; within 5 s without audio its station is lost, and the log has a gap. Ctrl-C ends it; run again, it goes on where it was, with plays that \
                had not ended. Docs/monitor-stations.md and Docs/playlog.md say more.

                EXAMPLES
                  earshot monitor run stations.json
                  earshot monitor run stations.json --jsonl
                  earshot monitor run stations.json --events 127.0.0.1:8480
                  earshot monitor run stations.json --database postgresql://earshot@db/earshot
                  earshot playlog report
                """
        )

        @Argument(help: "The file of settings.", completion: .file(extensions: ["json"]))
        var config: String

        @Option(
            name: .long,
            help: ArgumentHelp("Serve changes of the playlog as server-sent events there.", valueName: "address:port")
        )
        var events: String?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Copy plays into the database of a service, as postgresql://user@host/name.",
                valueName: "address"
            )
        )
        var database: String?

        @Option(name: .long, help: "Send changes of the playlog there, signed with the secret.")
        var webhook: String?

        @Option(
            name: .long,
            help: "The file with the webhook's secret of at least 16 bytes; two lines while it is replaced.",
            completion: .file()
        )
        var webhookSecretFile: String?

        @Flag(name: .long, help: "Print one JSON object a line.")
        var jsonl = false

        @Flag(name: .long, help: "When it ends, end the plays that go on, instead of taking them up at the next start.")
        var finish = false

        func validate() throws {
            guard (webhook == nil) == (webhookSecretFile == nil) else {
                throw ValidationError("--webhook and --webhook-secret-file go together.")
            }
        }

        func run() async throws {
            var settings = try StationSettings(path: config)
            settings.eventsOption = events
            settings.databaseOption = database
            if let webhook, let webhookSecretFile {
                let secret = URL(fileURLWithPath: webhookSecretFile).path
                try settings.add(StationSettings.Webhook(url: webhook, secretFile: secret))
            }
            let stations = try settings.stations()
            let playlog = settings.playlog
            try FileManager.default.createDirectory(
                at: playlog.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let lock = try MonitorLock(
                playlog: playlog,
                state: settings.state,
                data: settings.usesData ? settings.data : nil
            )
            defer { withExtendedLifetime(lock) {} }
            let store = try SQLitePlaylogStore(url: playlog)
            let monitor = StationMonitor(store: store, states: try FileStationStateStore(folder: settings.state))
            let report = StationReport(isJSON: jsonl)
            let services = try StationServices(settings, stations: stations, store: store, report: report)
            let events = monitor.events(levels: false)
            let reader = Task { for await event in events { report.take(event) } }
            let (reasons, reason) = AsyncStream.makeStream(of: Void.self)
            let failure = Mutex<(any Error)?>(nil)
            let beside = Task {
                do {
                    try await services.run(beside: monitor)
                } catch is CancellationError {
                    // It was asked for.
                } catch {
                    failure.withLock { $0 = error }
                    reason.yield()
                }
            }
            let interruption = Interruption(takesTermination: true, ending: { reason.yield() })
            defer { withExtendedLifetime(interruption) {} }
            if !jsonl {
                let places = try [playlog.path, settings.database?.name].compactMap(\.self).joined(separator: " and ")
                Terminal.note(
                    "Following \(DisplayText.plural(stations.count, "station", "stations")); plays go to \(places)."
                )
            }
            for station in stations { try await monitor.add(try services.prepared(station)) }
            services.stationsAreAdded()
            let over = Task {
                let errors = await monitor.untilOver()
                reason.yield()
                return errors
            }
            // Until it is interrupted, or all stations were files and are over.
            for await _ in reasons { break }
            do {
                try await monitor.stop(finish: finish)
            } catch {
                // What is kept beside the log is still kept.
                failure.withLock { $0 = $0 ?? error }
            }
            await services.finish()
            beside.cancel()
            await beside.value
            await reader.value
            if let error = failure.withLock({ $0 }) { throw error }
            if await !over.value.isEmpty { throw ExitCode.failure }
        }
    }
}
