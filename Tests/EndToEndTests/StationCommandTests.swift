import Earshot
import EarshotBroadcast
import EarshotMusic
import EarshotServer
import EarshotStations
import Foundation
import TestSupport
import Testing

@testable import ServiceCommands

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("earshot monitor run")
struct StationCommandTests {
    /// Writes settings of one station, a recording of the sample music, into a folder.
    private static func settings(
        _ folder: URL,
        _ station: [String: Any],
        _ more: [String: Any] = [:]
    ) async throws -> URL {
        let shop = try await Workshop.shared()
        var document: [String: Any] = [
            "catalog": shop.catalog.path, "playlog": "plays.sqlite", "state": "state",
            "stations": [
                ["id": "tape", "file": shop.folder.appendingPathComponent(Workshop.clipName).path]
                    .merging(station) { $1 }
            ],
        ]
        document.merge(more) { $1 }
        let url = folder.appendingPathComponent("stations.json")
        try JSONSerialization.data(withJSONObject: document).write(to: url)
        return url
    }

    @Test("A recording with a date is logged as fast as it is read, and reported")
    func recording() async throws {
        try await withTemporaryFolder { folder in
            let url = try await Self.settings(folder, ["since": "2026-05-01T18:30:00Z"])
            let run = try await Workshop.earshot.run(["monitor", "run", url.path])
            #expect(run.status == 0, "\(run.errors)")
            let log = folder.appendingPathComponent("plays.sqlite").path
            let listed = try await Workshop.earshot.run(["playlog", "list", "--playlog", log, "--jsonl"])
            let play = try Document(listed.output)
            #expect((play["start"] as? String)?.hasPrefix("2026-05-01T18:30:0") == true)
            #expect(play["state"] as? String == "final")
            #expect((play["playedDuration"] as? Double ?? 0) > 25)
            let list = try await Workshop.earshot.run([
                "playlog", "export", "--playlog", log, "--format", "m3u", "-o", "-",
            ])
            #expect(list.output.hasPrefix("#EXTM3U"))
            // Once more it is the same play.
            #expect(try await Workshop.earshot.run(["monitor", "run", url.path]).status == 0)
            let again = try await Workshop.earshot.run(["playlog", "list", "--playlog", log, "--jsonl"])
            #expect(try Document(again.output)["id"] as? String == play["id"] as? String)
            // Half a minute was listened to, and not a day.
            let report = try await Workshop.earshot.run(
                ["playlog", "report", "--playlog", log, "--day", "2026-05-01", "--picture", folder.path + "/day.svg"]
            )
            #expect(report.output.contains("1 play, 0:00:30 heard"))
            let picture = try String(contentsOf: folder.appendingPathComponent("day.svg"), encoding: .utf8)
            #expect(picture.contains("1 play "))
        }
    }

    @Test("A monitor tells its state in files, and the folder of its settings is what a service is given")
    func state() async throws {
        try await withTemporaryFolder { folder in
            let station: [String: Any] = [
                "since": "2026-05-01T18:30:00Z", "name": "Tape", "timeZone": "Asia/Tokyo", "guide": "seven",
            ]
            let url = try await Self.settings(folder, station, ["timeZone": "Europe/Vienna"])
            #expect(try await Workshop.earshot.run(["monitor", "run", url.path]).status == 0)
            let status = try #require(try MonitorFolder(folder.appendingPathComponent("state")).status())
            #expect(status.hasEnded && !status.isRunning(at: status.date))
            let tape = try #require(status.stations.first)
            #expect(tape.station.name == "Tape" && tape.station.guide == "seven" && !tape.isLive)
            let sources = try WatchedStations(folder.path).sources()
            #expect(sources.stations == [tape.station])
            #expect(sources.timeZone.identifier == "Europe/Vienna")
            #expect(try await sources.store.counts().plays == 1)
        }
    }

    @Test("Two monitors on one playlog, or one folder of states, are refused by an error that names it")
    func lock() async throws {
        try await withTemporaryFolder { folder in
            let url = try await Self.settings(folder, ["since": "2026-05-01T18:30:00Z"])
            let log = folder.appendingPathComponent("plays.sqlite")
            let (state, other) = (folder.appendingPathComponent("state"), folder.appendingPathComponent("other"))
            for (playlog, state, named) in [
                (log, other, log.path), (folder.appendingPathComponent("b.sqlite"), state, state.path),
            ] {
                let lock = try MonitorLock(playlog: playlog, state: state)
                let outcome = try await Workshop.earshot.run(["monitor", "run", url.path])
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains(named) && outcome.errors.contains("Another monitor"))
                withExtendedLifetime(lock) {}
            }
            // Nobody holds it any more.
            let outcome = try await Workshop.earshot.run(["monitor", "run", url.path])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    @Test("A running monitor serves the state of its stations, and SIGTERM ends it in good order")
    func running() async throws {
        try await withTemporaryFolder { folder in
            let station: [String: Any] = ["name": "Tape", "live": ["hours": 1]]
            let url = try await Self.settings(folder, station, ["events": "127.0.0.1:0"])
            let errors = folder.appendingPathComponent("errors")
            try Data().write(to: errors)
            let process = Process()
            process.executableURL = Workshop.earshot.url
            process.arguments = ["monitor", "run", url.path, "--jsonl"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = try FileHandle(forWritingTo: errors)
            try ProcessLaunch.run(process)
            defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
            func text() -> String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
            while process.isRunning, !text().contains("/events") { try await Task.sleep(for: .milliseconds(20)) }
            let address = try #require(text().split(separator: " ").last { $0.hasPrefix("http") })
            let base = try #require(URL(string: address.trimmingCharacters(in: .whitespacesAndNewlines)))
            let stations = base.deletingLastPathComponent().appendingPathComponent("stations")
            var state: Document
            repeat {
                let (data, _) = try await URLSession.shared.data(from: stations)
                state = try Document(String(decoding: data, as: UTF8.self))
            } while state["stations", 0, "isLive"] as? Bool != true
            #expect(state["stations", 0, "name"] as? String == "Tape")
            process.terminate()
            let status = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    process.waitUntilExit()
                    continuation.resume(returning: process.terminationStatus)
                }
            }
            #expect(status == 0)
            // What is on goes on with the next monitor.
            #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("plays.data/live/tape").path))
        }
    }

    @Test(
        "Settings that will not do are refused, saying which",
        arguments: [
            (#"{"stations": []}"#, "names no stations"),
            (#"{"stations": [{"id": "a"}]}"#, "one of url, device and file"),
            (#"{"catalog": "c", "stations": [{"id": "a", "url": "http://a", "since": "2026-05-01T18:30Z"}]}"#, "since"),
            (#"{"catalog": "c", "stations": [{"id": "a", "file": "f", "since": "yesterday"}]}"#, "since"),
            (#"{"catalog": "c", "stations": [{"id": "a", "file": "f", "live": {"hours": 100}}]}"#, "0.02 to 72"),
            (#"{"catalog": "c", "stations": [{"id": "a", "file": "f", "timeZone": "Vienna"}]}"#, "Europe/Berlin"),
            (#"{"catalog": "c", "stations": [{"id": "a", "file": "f", "guide": ""}]}"#, "guide"),
            (
                #"{"catalog": "c", "stations": [{"id": "a", "file": "f"}], "#
                    + #""webhooks": [{"url": "http://a", "secretFile": "s", "events": ["play.begun"]}]}"#,
                "play.begun"
            ),
            (
                #"{"catalog": "c", "stations": [{"id": "a", "file": "f"}], "#
                    + #""webhooks": [{"url": "http://a", "secretFile": "s"}, {"url": "http://a", "secretFile": "t"}]}"#,
                "two webhooks"
            ),
        ]
    )
    func settings(text: String, said: String) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("stations.json")
            try Data(text.utf8).write(to: url)
            let error = #expect(throws: EarshotError.self) { _ = try StationSettings(path: url.path) }
            #expect(error?.code == .configurationInvalid)
            #expect(error?.message.contains(said) == true, "\(error?.message ?? "")")
        }
    }

    @Test("The shortest and the longest time that can be kept of a station are taken", arguments: [0.02, 72])
    func liveHours(hours: Double) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("stations.json")
            let station = #"{"id": "a", "file": "f", "live": {"hours": \#(hours)}}"#
            try Data(#"{"catalog": "c", "stations": [\#(station)]}"#.utf8).write(to: url)
            _ = try StationSettings(path: url.path)
        }
    }

    @Test("Addresses for events are read with and without a host")
    func addresses() {
        typealias Address = StationSettings.Address
        #expect(Address("127.0.0.1:8480").map { "\($0.host) \($0.port)" } == "127.0.0.1 8480")
        #expect(Address(":80").map { "\($0.host) \($0.port)" } == "127.0.0.1 80")
        #expect(Address("8480").map { "\($0.host) \($0.port)" } == "127.0.0.1 8480")
        #expect(Address("[::1]:8480").map { "\($0.host) \($0.port)" } == "::1 8480")
        for text in ["", "localhost", "::1:8480", "a:70000", "a:-1"] { #expect(Address(text) == nil, "\(text)") }
    }

    @Test("The example of three stations goes from nothing to a log")
    func example() async throws {
        try await withTemporaryFolder { folder in
            let script = Recordings.samples.deletingLastPathComponent().appendingPathComponent(
                "Examples/ThreeStations/try"
            )
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["bash", script.path, folder.path]
            process.environment = ProcessInfo.processInfo.environment.merging(["EARSHOT": Workshop.earshot.url.path]) {
                $1
            }
            let output = folder.appendingPathComponent("output")
            try Data().write(to: output)
            let handle = try FileHandle(forWritingTo: output)
            (process.standardOutput, process.standardError) = (handle, handle)
            try ProcessLaunch.run(process)
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    process.waitUntilExit()
                    continuation.resume()
                }
            }
            let text = try String(contentsOf: output, encoding: .utf8)
            #expect(process.terminationStatus == 0, "\(text)")
            #expect(text.contains("harbour  song  Christian Hoffmann - Win Game"))
            #expect(text.contains("tv  advertisement  Sindre Froyn - Main Screen"))
            #expect(text.contains("Nothing unknown was heard twice."))
            for name in ["day.png", "plays.csv"] {
                #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path))
            }
            // The settings for the network are settings too.
            let settings = script.deletingLastPathComponent().appendingPathComponent("stations.json")
            #expect(try StationSettings(path: settings.path).document.stations.count == 3)
        }
    }

    @Test("Small mistakes are named with what to do")
    func mistakes() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let built = try await Workshop.earshot.run(
                ["bundle", "build", shop.clip.path, "-o", folder.appendingPathComponent("日本.earbundle").path]
            )
            #expect(built.status != 0 && built.errors.contains("--id"))
            let text = folder.appendingPathComponent("notes.earbundle")
            try Data("some notes".utf8).write(to: text)
            let taken = try await Workshop.earshot.run(
                ["bundle", "ingest", text.path, "--store", folder.appendingPathComponent("store").path]
            )
            #expect(taken.status == 1 && taken.errors.contains(text.path))
            // A guide that cannot be read leaves no guide behind.
            let guide = folder.appendingPathComponent("guide.sqlite")
            let imported = try await Workshop.earshot.run(["epg", "import", text.path, "--guide", guide.path])
            #expect(imported.status != 0)
            #expect(!FileManager.default.fileExists(atPath: guide.path))
            let now = try await Workshop.earshot.run(["epg", "now", "--guide", guide.path])
            #expect(now.status == 1 && now.errors.contains("There is no guide at \(guide.path)"))
            // An empty file is no log, and stays as it is.
            let empty = folder.appendingPathComponent("empty.sqlite")
            try Data().write(to: empty)
            let listed = try await Workshop.earshot.run(["playlog", "list", "--playlog", empty.path])
            #expect(listed.status == 1 && listed.errors.contains("\(empty.path) is empty"))
            #expect(try Data(contentsOf: empty).isEmpty)
            // A file that is no recording ends its station, and with it the command.
            let settings = try await Self.settings(folder, ["file": text.path])
            let run = try await Workshop.earshot.run(["monitor", "run", settings.path])
            #expect(run.status == 1 && run.output.contains("over: ") && run.output.contains(text.path))
            let elsewhere = try await Workshop.earshot.run(["monitor", "run", folder.path])
            #expect(elsewhere.status == 1 && elsewhere.errors.contains("is a folder"))
        }
    }
}
