import ArgumentParser
import CommandKit
import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation

struct PlaylogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playlog",
        abstract: "What monitored stations played: list, export, report.",
        discussion: """
            EXAMPLES
              earshot playlog list --day 2026-11-22
              earshot playlog export --format csv --day 2026-11-22 -o plays.csv
              earshot playlog report --day 2026-11-22 --picture day.png
            """,
        subcommands: [List.self, Export.self, Report.self],
        defaultSubcommand: List.self
    )

    /// The database of the playlog, and the part of it that is wanted.
    struct Selection: ParsableArguments {
        @Option(
            name: .long,
            help: ArgumentHelp(
                "The playlog.",
                discussion: "Without it EARSHOT_PLAYLOG, or one in the user's data folder."
            ),
            completion: .file(extensions: ["sqlite"])
        )
        var playlog: String?

        @OptionGroup var service: ServiceDatabase

        @Option(name: .long, help: "A channel; may be repeated. All unless stated.")
        var channel: [String] = []

        @Option(name: .long, help: "A reference; may be repeated. All unless stated.")
        var reference: [String] = []

        @Option(name: .long, help: "The day: 2026-11-22. Everything unless stated.")
        var day: String?

        @Option(name: .long, help: "The time zone in which days begin: Europe/Berlin. UTC unless stated.")
        var timeZone: String?

        func validate() throws {
            if let day, PlayDay(day) == nil { throw ValidationError("\"\(day)\" is no day: write 2026-11-22.") }
            if let timeZone, TimeZone(identifier: timeZone) == nil {
                throw ValidationError("There is no time zone \"\(timeZone)\": write one such as Europe/Berlin.")
            }
        }

        var zone: TimeZone { timeZone.flatMap { TimeZone(identifier: $0) } ?? .gmt }

        var playDay: PlayDay? { day.flatMap { PlayDay($0) } }

        var query: PlayQuery {
            var query = PlayQuery()
            query.channels = Set(channel.map { EntityID($0) })
            query.references = Set(reference.map { ReferenceID($0) })
            query.span = playDay?.span(in: zone)
            return query
        }

        func store() async throws(EarshotError) -> any PlaylogStore {
            try await CommandStores.playlog(playlog, database: service.database)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List plays, the newest last.",
            discussion: "Exit status 3: there are none."
        )

        @OptionGroup var selection: Selection

        @Option(name: .long, help: "How many of the newest, at most.")
        var limit = 50

        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000.") }
        }

        func run() async throws {
            var query = selection.query
            query.isNewestFirst = true
            let page = try await selection.store().records(query, after: nil, limit: limit)
            let records = page.items.reversed()
            if output.json {
                let document = ["plays": Array(records)]
                Terminal.print(String(decoding: try PlaylogJSON.encode(document, isPretty: true), as: UTF8.self))
            }
            for record in records where !output.json {
                if output.jsonl {
                    Terminal.print(String(decoding: try PlaylogJSON.encode(record), as: UTF8.self))
                } else {
                    Terminal.print(Self.line(record, in: selection.zone))
                }
            }
            if records.isEmpty {
                if !output.json, !output.jsonl { Terminal.print("There are no plays.") }
                throw ExitCode(3)
            }
            if page.next != nil, !output.json, !output.jsonl {
                Terminal.note("There are older plays: --limit shows more, `export` all.")
            }
        }

        private static func line(_ record: PlayRecord, in zone: TimeZone) -> String {
            let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day().dateSeparator(.dash)
                .time(includingFractionalSeconds: false).timeSeparator(.colon).dateTimeSeparator(.space)
            let length = DisplayText.length(MediaTime(seconds: record.playedDuration.rounded(), preferredTimescale: 1))
            let going = record.state == .provisional ? " …" : ""
            return
                "\(record.start.formatted(style))  \(length)\(going)  \(record.channel.id)  \(record.kind.rawValue)  \(record.caption)"
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write plays for other systems.",
            discussion: """
                csv is a table of all fields, jsonl a record a line, m3u a playlist, txt lines of time and title, xmltv an \
                as-run guide. Docs/playlog.md shows each.

                EXAMPLES
                  earshot playlog export --format csv --day 2026-11-22 -o plays.csv
                  earshot playlog export --format xmltv --channel radio1 > asrun.xml
                """
        )

        @OptionGroup var selection: Selection

        @Option(name: .long, help: "csv, jsonl, m3u, txt or xmltv.")
        var format = "csv"

        @OptionGroup var destination: DestinationOptions

        func validate() throws {
            guard format == "xmltv" || PlaylogFormat(rawValue: format) != nil else {
                let names = PlaylogFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("\"\(format)\" is no format: choose \(names) or xmltv.")
            }
        }

        func run() async throws {
            if let output = destination.file, !destination.replace, FileManager.default.fileExists(atPath: output) {
                throw AtomicFile.exists(URL(fileURLWithPath: output))
            }
            let store = try await selection.store()
            let data: Data
            if let format = PlaylogFormat(rawValue: format) {
                guard let output = destination.file else {
                    let writer = PlaylogWriter(format, timeZone: selection.zone, to: .standardOutput)
                    _ = try await store.export(selection.query, with: writer)
                    return
                }
                // Beside its place first, so that nobody finds a half.
                let partial = URL(fileURLWithPath: output + ".partial")
                guard FileManager.default.createFile(atPath: partial.path, contents: nil) else {
                    throw EarshotError(.writeFailed, "\(partial.path) cannot be made: check the folder and its rights.")
                }
                defer { try? FileManager.default.removeItem(at: partial) }
                let handle = try FileHandle(forWritingTo: partial)
                let writer = PlaylogWriter(format, timeZone: selection.zone, to: handle)
                let count = try await store.export(selection.query, with: writer)
                try handle.synchronize()
                try handle.close()
                guard rename(partial.path, output) == 0 else {
                    throw EarshotError(.writeFailed, "\(output) cannot be written: check the folder and its rights.")
                }
                Terminal.note("\(output): \(DisplayText.plural(count, "play", "plays"))")
                return
            }
            var records: [PlayRecord] = []
            try await store.forEachRecord(selection.query) { record throws(EarshotError) in records.append(record) }
            let guide = AsRun.guide(records)
            data = XMLTVWriter(sourceName: "as run").data(channels: guide.channels, airings: guide.airings)
            if let output = destination.file {
                try AtomicFile.write([UInt8](data), to: URL(fileURLWithPath: output), replacing: destination.replace)
            } else {
                Terminal.write(String(decoding: data, as: UTF8.self), to: .standardOutput)
            }
        }
    }

    struct Report: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report",
            abstract: "Report a day: totals a channel and a reference, gaps, and a picture.",
            discussion: """
                EXAMPLES
                  earshot playlog report --day 2026-11-22
                  earshot playlog report --day 2026-11-22 --time-zone Europe/Berlin --picture day.png --csv day.csv
                """
        )

        @OptionGroup var selection: Selection

        @Option(name: .long, help: "Draw the day here.", completion: .file(extensions: ["png", "svg"]))
        var picture: String?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Draw these hours since midnight: 18-20; 0-24 for the whole day. Default: the hours in which something was heard.",
                valueName: "first-last"
            )
        )
        var hours: String?

        @Option(name: .long, help: "Width of a PNG in pixels; the height follows.")
        var width = 1_600

        @Option(name: .long, help: "Write the totals here as a table.", completion: .file(extensions: ["csv"]))
        var csv: String?

        @Flag(name: .long, help: "Replace existing outputs.")
        var replace = false

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func validate() throws {
            if let picture, !picture.hasSuffix(".png"), !picture.hasSuffix(".svg") {
                throw ValidationError("The picture must end in .png or .svg, and \"\(picture)\" does not.")
            }
            if let hours, Self.hours(hours) == nil {
                throw ValidationError("\"\(hours)\" are no hours of a day: write 18-20.")
            }
            guard (200...8_000).contains(width) else { throw ValidationError("--width must be from 200 to 8000.") }
        }

        func run() async throws {
            let store = try await selection.store()
            let day = selection.playDay ?? PlayDay(of: Date(), in: selection.zone)
            let channels = selection.channel.map { PlayChannel(id: EntityID($0)) }
            let report = try await store.dailyReport(day, in: selection.zone, channels: channels, until: Date())
            if let csv {
                try AtomicFile.write([UInt8](report.csv().utf8), to: URL(fileURLWithPath: csv), replacing: replace)
            }
            if let picture { try await draw(day, store, to: picture) }
            if json {
                Terminal.print(String(decoding: try report.json(), as: UTF8.self))
            } else {
                Terminal.print(report.text())
            }
        }

        /// Hours since midnight from their text.
        private static func hours(_ text: String) -> Range<Int>? {
            let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
            guard numbers.count == 2, numbers[0] >= 0, numbers[0] < numbers[1], numbers[1] <= 25 else { return nil }
            return numbers[0]..<numbers[1]
        }

        private func draw(_ day: PlayDay, _ store: any PlaylogStore, to path: String) async throws {
            var query = selection.query
            var span = day.span(in: selection.zone)
            if let hours = hours.flatMap({ Self.hours($0) }) {
                let begin = span.lowerBound.addingTimeInterval(Double(hours.lowerBound) * 3_600)
                span = begin..<begin.addingTimeInterval(Double(hours.count) * 3_600)
            }
            query.span = span
            var records: [PlayRecord] = []
            var gaps: [StreamGap] = []
            try await store.forEachRecord(query) { record throws(EarshotError) in records.append(record) }
            try await store.forEachGap(query) { gap throws(EarshotError) in gaps.append(gap) }
            let heard = try await store.heard(query)
            var title = "Plays of \(day)"
            if hours == nil {
                let whole = span
                let zone = selection.zone
                span = PlaylogPlot.fitted(
                    whole,
                    timeZone: zone,
                    plays: records,
                    gaps: gaps,
                    heard: heard,
                    now: Date()
                )
                if span != whole { title += ", " + PlaylogPlot.words(span, timeZone: zone) }
            }
            let plot = PlaylogPlot(
                title: title,
                span: span,
                timeZone: selection.zone,
                plays: records,
                gaps: gaps,
                heard: heard,
                until: Date()
            )
            let bytes = path.hasSuffix(".svg") ? plot.svg() : try plot.png(width: width)
            try AtomicFile.write(bytes, to: URL(fileURLWithPath: path), replacing: replace)
        }
    }
}
