import ArgumentParser
import CommandKit
import Earshot
import EarshotBroadcast
import EarshotMusic
import EarshotStations
import Foundation

extension MonitorCommand {
    /// Lists audio that stations repeat and nothing explains.
    struct Repeats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "repeats",
            abstract: "Unknown audio that stations repeat: list it, name it, leave it out.",
            discussion: """
                Stations with "repeats": true in the settings of `earshot monitor run` are searched for audio that no \
                reference explains and that is heard again. What is named becomes a reference, which the monitor looks for \
                from then on; without a monitor running it is done at its next start.

                EXAMPLES
                  earshot monitor repeats list stations.json
                  earshot monitor repeats name stations.json repeat-12 --title "Soap" --kind advertisement
                  earshot monitor repeats export stations.json -o named.earcat
                """,
            subcommands: [List.self, Name.self, Dismiss.self, Export.self],
            defaultSubcommand: List.self
        )

        struct Settings: ParsableArguments {
            @Argument(help: "The file of settings of `earshot monitor run`.", completion: .file(extensions: ["json"]))
            var config: String

            func folder() throws -> RepeatFolder { try StationSettings(path: config).repeats }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list",
                abstract: "List what is offered for naming, what explains most first.",
                discussion: "Exit status 3: there is nothing."
            )

            @OptionGroup var settings: Settings

            @OptionGroup var output: OutputOptions

            func run() async throws {
                let folder = try settings.folder()
                let offered = try folder.offered()
                if output.json {
                    let document = ["repeats": offered]
                    Terminal.print(String(decoding: try PlaylogJSON.encode(document, isPretty: true), as: UTF8.self))
                }
                for audio in offered where !output.json {
                    if output.jsonl {
                        Terminal.print(String(decoding: try PlaylogJSON.encode(audio), as: UTF8.self))
                    } else {
                        Terminal.print(Self.line(audio, folder))
                    }
                }
                guard offered.isEmpty else { return }
                if !output.json, !output.jsonl { Terminal.print("Nothing unknown was heard twice.") }
                throw ExitCode(3)
            }

            private static func line(_ audio: RepeatCandidate, _ folder: RepeatFolder) -> String {
                let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateSeparator(.dash)
                    .time(includingFractionalSeconds: false).timeSeparator(.colon).dateTimeSeparator(.space)
                let length = String(format: "%.1f s", audio.length)
                let channels = audio.channels.map(\.rawValue).joined(separator: ", ")
                let clip = audio.clip.map { "  " + folder.url.appendingPathComponent($0).path } ?? ""
                return "\(audio.id)  \(length)  \(audio.count) times  \(channels)  "
                    + "\(audio.firstHeard.formatted(style)) to \(audio.lastHeard.formatted(style))\(clip)"
            }
        }

        struct Name: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "name",
                abstract: "Say what repeated audio is, so that it becomes a reference."
            )

            @OptionGroup var settings: Settings

            @Argument(help: "Its name: repeat-12.")
            var id: String

            @Option(name: .long, help: "What it is called.")
            var title: String

            @Option(name: .long, help: "Who plays, or whose it is.")
            var artist: String?

            @Option(name: .long, help: "What it is: song, jingle, advertisement, programme, or a word of your own.")
            var kind: String?

            @OptionGroup var format: JSONOption

            func validate() throws {
                if title.isEmpty { throw ValidationError("--title must not be empty.") }
            }

            func run() async throws {
                let folder = try settings.folder()
                try folder.leave(RepeatOrder(name: id, title: title, artist: artist, kind: kind))
                try format.note(
                    "\(id) is \(title): a running monitor takes it up within seconds, else the next one.",
                    ["id": .string(id), "title": .string(title)]
                )
            }
        }

        struct Dismiss: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "dismiss",
                abstract: "Offer repeated audio no more."
            )

            @OptionGroup var settings: Settings

            @Argument(help: "Its name: repeat-12.")
            var id: String

            @OptionGroup var format: JSONOption

            func run() async throws {
                try settings.folder().leave(RepeatOrder(dismiss: id))
                try format.note("\(id) is not offered again.", ["id": .string(id)])
            }
        }

        struct Export: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "export",
                abstract: "Write what was named as a catalog."
            )

            @OptionGroup var settings: Settings

            @Option(name: .shortAndLong, help: "Write here.", completion: .file(extensions: ["earcat"]))
            var output: String

            @Flag(name: .long, help: "Replace an existing output.")
            var replace = false

            @OptionGroup var format: JSONOption

            func run() async throws {
                let catalog = try settings.folder().catalog()
                let url = try catalog.write(to: URL(fileURLWithPath: output), replacing: replace)
                try format.note(
                    "\(url.path): \(DisplayText.plural(catalog.count, "reference", "references"))",
                    ["output": .string(url.path), "references": .integer(catalog.count)]
                )
            }
        }
    }
}
