import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension TimedCommand {
    struct ImportCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Read timed content of any form and write it as JSON of this package.",
            discussion: """
                The form is told by content and suffix; name it with --format where that does not do.

                EXAMPLES
                  earshot timed import song.lrc -o song.json
                  earshot timed import book.m4b -o -               the chapters of a media file, to standard output
                  curl -s https://example.org/chapters.json | earshot timed import - -o chapters-of-it.json
                """
        )

        @Argument(help: "Timed content, a media file with chapters, or - for standard input.", completion: .file())
        var file: String

        @Option(name: .shortAndLong, help: "Write the JSON here, or - for standard output.", completion: .file())
        var output: String

        @Option(name: .long, help: "The form of the input, where content and suffix do not say it.")
        var format: TimedForm?

        @Option(name: .long, help: "The reference in a catalog that the times belong to.")
        var reference: String?

        @Flag(name: .long, help: "Replace an existing output.")
        var replace = false

        @OptionGroup var result: JSONOption

        func run() async throws {
            try TimedCommand.refuse(existing: output, unless: replace)
            var timeline = try await TimedCommand.timeline(file, format: format?.format)
            if let reference {
                timeline = try Timeline(
                    timeline.entries,
                    reference: ReferenceID(reference),
                    metadata: timeline.metadata
                )
            }
            try TimedCommand.write(timeline, as: .json, to: output, replacing: replace, result: result)
        }
    }

    struct ExportCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write timed content in another form.",
            discussion: """
                Docs/formats/timed-content.md says what each form can hold.

                EXAMPLES
                  earshot timed export lesson.json -o lesson.vtt
                  earshot timed export book.json -o - --format ffmetadata | ffmpeg -i book.mka -f ffmetadata -i - \\
                    -map_metadata 1 -map_chapters 1 -codec copy book-with-chapters.mka
                """
        )

        @Argument(help: "Timed content, a media file with chapters, or - for standard input.", completion: .file())
        var file: String

        @Option(name: .shortAndLong, help: "Write here, or - for standard output.", completion: .file())
        var output: String

        @Option(
            name: .long,
            help: "The form to write. Without it the suffix of the output says."
        )
        var format: TimedForm?

        @Flag(name: .long, help: "Replace an existing output.")
        var replace = false

        @OptionGroup var result: JSONOption

        func validate() throws {
            guard format != nil || TimedContentFormat(suffixOf: output) != nil else {
                throw ValidationError("The form to write is not known: name it with --format.")
            }
        }

        func run() async throws {
            try TimedCommand.refuse(existing: output, unless: replace)
            let timeline = try await TimedCommand.timeline(file)
            let form = format?.format ?? TimedContentFormat(suffixOf: output) ?? .json
            try TimedCommand.write(timeline, as: form, to: output, replacing: replace, result: result)
        }
    }

    struct SecondsCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seconds",
            abstract: "Say how many seconds times are.",
            discussion: """
                EXAMPLES
                  earshot timed seconds 3:14 1:02:03 3m14s 250ms     194, 3723, 194, 0.25
                """
        )

        @Argument(help: "Times: seconds, m:ss, h:mm:ss or 1h2m3s.")
        var times: [String]

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        private struct Conversion: Encodable {
            let text: String
            let seconds: Double
        }

        func run() throws {
            var conversions: [Conversion] = []
            for text in times { conversions.append(Conversion(text: text, seconds: try TimeText.time(text).seconds)) }
            if json {
                Terminal.print(try JSON.document(["times": conversions]))
            } else {
                for conversion in conversions { Terminal.print(try JSON.line(conversion.seconds)) }
            }
        }
    }
}
