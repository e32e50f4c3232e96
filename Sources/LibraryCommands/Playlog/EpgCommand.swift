import ArgumentParser
import CommandKit
import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation

struct EpgCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epg",
        abstract: "Keep a programme guide: import XMLTV, say what is on.",
        discussion: """
            EXAMPLES
              earshot epg import guide.xml
              earshot epg now
              earshot epg list --channel ch7.example --day 2026-11-22
              earshot epg export -o guide.xml
            """,
        subcommands: [Import.self, Now.self, List.self, Channels.self, Export.self, Purge.self]
    )

    /// The database of the guide.
    struct Database: ParsableArguments {
        @Option(
            name: .long,
            help: ArgumentHelp(
                "The guide's database.",
                discussion: "Without it EARSHOT_GUIDE, or one in the user's data folder."
            ),
            completion: .file(extensions: ["sqlite"])
        )
        var guide: String?

        @OptionGroup var service: ServiceDatabase

        func existing() async throws(EarshotError) -> any GuideStore {
            try await CommandStores.guide(guide, database: service.database, .existing)
        }

        func made() async throws(EarshotError) -> any GuideStore {
            try await CommandStores.guide(guide, database: service.database, .making)
        }

        /// The file, if it is not there yet.
        var missingFile: URL? {
            get throws(EarshotError) {
                guard try DatabaseFile.guide.address(guide, database: service.database) == nil else { return nil }
                let url = DatabaseFile.guide.url(guide)
                return FileManager.default.fileExists(atPath: url.path) ? nil : url
            }
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import guides in XMLTV.",
            discussion: """
                What a file says of a channel's time takes the place of what was known of it, so that a changed schedule leaves \
                nothing behind. Entries that make no sense are passed over and named; Docs/guide.md says what is made of \
                missing ends, overlaps and time zones. - reads standard input.

                EXAMPLES
                  earshot epg import guide.xml
                  gunzip -c guide.xml.gz | earshot epg import -
                """
        )

        @Argument(help: "XMLTV files.", completion: .file(extensions: ["xml", "xmltv"]))
        var files: [String]

        @OptionGroup var database: Database

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        private struct Summary: Encodable {
            let file: String
            let channels: Int
            let programs: Int
            let airings: Int
            let notes: [String]
            let noteCount: Int
        }

        func run() async throws {
            let missingFile = try database.missingFile
            var summaries: [Summary] = []
            do {
                try await read(&summaries)
            } catch {
                // Nothing came of it: no empty guide stays, which would say that nothing is on.
                if let missingFile, summaries.isEmpty { DatabaseFile.guide.remove(missingFile.path) }
                throw error
            }
        }

        private func read(_ summaries: inout [Summary]) async throws {
            let store = try await database.made()
            for file in files {
                let done: GuideImport.Summary
                if file == "-" {
                    let data = FileHandle.standardInput.readDataToEndOfFile()
                    done = try await GuideImport(into: store).run(
                        XMLTVReader().guide(in: data, named: "Standard input")
                    )
                } else {
                    done = try await GuideImport(into: store).run(contentsOf: URL(fileURLWithPath: file))
                }
                let summary = Summary(
                    file: file,
                    channels: done.channels,
                    programs: done.programs,
                    airings: done.airings,
                    notes: done.notes.map(\.description),
                    noteCount: done.noteCount
                )
                summaries.append(summary)
                guard !json else { continue }
                for note in summary.notes.prefix(20) { Terminal.note("\(file): \(note)") }
                if done.noteCount > 20 { Terminal.note("\(file): and \(done.noteCount - 20) more; --json names them.") }
                Terminal.print(
                    "\(file): \(DisplayText.plural(done.channels, "channel", "channels")), "
                        + "\(DisplayText.plural(done.programs, "programme", "programmes")), "
                        + DisplayText.plural(done.airings, "airing", "airings")
                )
            }
            if json { Terminal.print(try JSON.document(["imports": summaries])) }
        }
    }

    struct Now: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "now",
            abstract: "Say what is on, on every channel.",
            discussion: "Exit status 3: nothing is known to be on."
        )

        @Option(name: .long, help: "At this time instead: 2026-11-22T20:15:00Z.")
        var at: String?

        @OptionGroup var database: Database

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func run() async throws {
            var instant = Date()
            if let at {
                guard let date = ISO8601DateFormatter().date(from: at) else {
                    throw ValidationError("\"\(at)\" is no time: write 2026-11-22T20:15:00Z.")
                }
                instant = date
            }
            let store = try await database.existing()
            var airings: [Airing] = []
            for channel in try await store.channels(links: false) {
                if let airing = try await store.airing(on: channel.id, at: instant) { airings.append(airing) }
            }
            try EpgCommand.show(airings, json: json)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List what is on, on a day.",
            discussion: "Exit status 3: nothing is known of it."
        )

        @Option(name: .long, help: "A channel's identifier, as `earshot epg channels` shows it; all unless stated.")
        var channel: [String] = []

        @Option(name: .long, help: "The day, by UTC: 2026-11-22. Today unless stated.")
        var day: String?

        @OptionGroup var database: Database

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func run() async throws {
            var wanted = PlayDay(of: Date())
            if let day {
                guard let named = PlayDay(day) else { throw ValidationError("\"\(day)\" is no day: write 2026-11-22.") }
                wanted = named
            }
            let span = wanted.span()
            let store = try await database.existing()
            let airings = try await store.airings(
                on: channel.isEmpty ? nil : channel.map { EntityID($0) },
                from: span.lowerBound,
                to: span.upperBound
            )
            try EpgCommand.show(airings, json: json)
        }
    }

    struct Channels: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "channels", abstract: "List the guide's channels.")

        @OptionGroup var database: Database

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let channels = try await database.existing().channels(links: true)
            if json { return Terminal.print(try JSON.document(["channels": channels])) }
            for channel in channels {
                let more = [channel.number, channel.callSign].compactMap(\.self).joined(separator: "  ")
                Terminal.print("\(channel.id)  \(channel.name.text)\(more.isEmpty ? "" : "  \(more)")")
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "export", abstract: "Write the guide as XMLTV.")

        @OptionGroup var destination: DestinationOptions

        @OptionGroup var database: Database

        func run() async throws {
            let store = try await database.existing()
            let airings = try await store.airings(from: .distantPast, to: .distantFuture)
            let data = XMLTVWriter().data(channels: try await store.channels(links: true), airings: airings)
            if let output = destination.file {
                try AtomicFile.write([UInt8](data), to: URL(fileURLWithPath: output), replacing: destination.replace)
            } else {
                Terminal.write(String(decoding: data, as: UTF8.self), to: .standardOutput)
            }
        }
    }

    struct Purge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge",
            abstract: "Forget airings that ended before a day."
        )

        @Option(name: .long, help: "The first day that is kept, by UTC: 2026-11-22.")
        var before: String

        @OptionGroup var database: Database

        @OptionGroup var format: JSONOption

        func run() async throws {
            guard let day = PlayDay(before) else { throw ValidationError("\"\(before)\" is no day: write 2026-11-22.") }
            let count = try await database.existing().removeAirings(endedBy: day.span().lowerBound, withPrograms: true)
            try format.print("Removed \(DisplayText.plural(count, "airing", "airings")).", ["airings": .integer(count)])
        }
    }

    static func show(_ airings: [Airing], json: Bool) throws {
        if json {
            let encoder = JSONEncoder.sorted(isPretty: true)
            encoder.dateEncodingStrategy = .iso8601
            Terminal.print(try encoder.text(["airings": airings]))
        } else {
            let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateSeparator(.dash)
                .time(includingFractionalSeconds: false).timeSeparator(.colon).dateTimeSeparator(.space)
            for airing in airings {
                let subtitle = airing.program.subtitle.map { ": \($0.text)" } ?? ""
                let times =
                    "\(airing.start.formatted(style).dropLast(3))–\(airing.end.formatted(style).suffix(8).prefix(5))"
                let names = "\(airing.channel.name.text)  \(airing.program.title.text)\(subtitle)"
                Terminal.print("\(times)  \(Terminal.shown(names))")
            }
            if airings.isEmpty { Terminal.print("Nothing is known to be on.") }
        }
        if airings.isEmpty { throw ExitCode(3) }
    }
}
