import ArgumentParser
import CommandKit
import Earshot
import EarshotBroadcast
import EarshotMusic
import EarshotStations
import Foundation

extension MonitorCommand {
    /// A recording in the last hours of stations.
    struct Lookup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lookup",
            abstract: "Say on which station a recording was broadcast, and when.",
            discussion: """
                Stations with "live": {"hours": 24} in the settings of `earshot monitor run` keep their last hours; what a \
                running monitor heard is there within two minutes. The first 15 s of the recording are looked up.

                EXAMPLES
                  earshot monitor lookup stations.json clip.wav

                Exit status 3: it was not found.
                """
        )

        @Argument(help: "The file of settings of `earshot monitor run`.", completion: .file(extensions: ["json"]))
        var config: String

        @Argument(help: "The recording.", completion: .file())
        var recording: String

        @Flag(name: .long, help: "Print one JSON object a line.")
        var jsonl = false

        private struct Line: Encodable {
            let schemaVersion = ResultSchema.version
            let channel: EntityID<BroadcastChannel>
            let broadcast: Date
            let confidence: Double
            let speedSkew: Double
        }

        private func query() async throws -> Signature {
            var generator = SignatureGenerator()
            let limit = MediaTime(value: 15, timescale: 1)
            for try await block in try await AssetReader(URL(fileURLWithPath: recording)) {
                try generator.append(block.buffer)
                if generator.duration >= limit { break }
            }
            return generator.signature().slice(from: .zero, duration: min(limit, generator.duration)).signature
        }

        func run() async throws {
            let settings = try StationSettings(path: config)
            let live = settings.live
            guard !live.isEmpty else {
                throw EarshotError(
                    .configurationInvalid,
                    "No station of \(config) keeps its last hours: give one \"live\": {\"hours\": 24}."
                )
            }
            let query: Signature
            do {
                query = try await self.query()
            } catch let error as EarshotError where jsonl && error.code != .cancelled {
                Terminal.print(try JSON.line(ClipRecord(clip: recording, error: ErrorRecord(error)).line))
                throw error
            }
            var found: [LiveMatch] = []
            for (_, folder, retention) in live {
                let options = LiveIndex.Options(retention: retention)
                let (index, notes) = LiveIndex.restore(from: folder, options: options)
                for note in notes { Terminal.printError(note) }
                found += try index.lookup(query)
            }
            let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateSeparator(.dash)
                .time(includingFractionalSeconds: false).timeSeparator(.colon).dateTimeSeparator(.space)
            // Music repeats itself: what is far behind the best is another place of the same track.
            let best = found.map(\.score).max() ?? 0
            for match in found.sorted(by: { $0.score > $1.score }) where match.score >= best / 2 {
                if jsonl {
                    let line = Line(
                        channel: match.channel,
                        broadcast: match.broadcast,
                        confidence: match.confidence,
                        speedSkew: match.speed - 1
                    )
                    Terminal.print(String(decoding: try PlaylogJSON.encode(line), as: UTF8.self))
                } else {
                    Terminal.print("\(match.broadcast.formatted(style))  \(match.channel)")
                }
            }
            guard found.isEmpty else { return }
            if !jsonl { Terminal.print("It was not found in what is kept.") }
            throw ExitCode(3)
        }
    }
}
