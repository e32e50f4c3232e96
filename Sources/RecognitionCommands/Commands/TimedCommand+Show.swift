import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension TimedCommand {
    struct ShowCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show timed content, or what is active at a time.",
            discussion: """
                EXAMPLES
                  earshot timed show lesson.json
                  earshot timed show lesson.json --at 0:23      what is active there, and what comes next
                  earshot timed show book.m4b --json
                """
        )

        @Argument(help: "Timed content, a media file with chapters, or - for standard input.", completion: .file())
        var file: String

        @Option(name: .long, help: "The form of the input, where content and suffix do not say it.")
        var format: TimedForm?

        @Option(name: .long, help: "Show what is active at this time: seconds, m:ss, h:mm:ss or 1h2m3s.")
        var at: TimedTime?

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        private struct Moment: Encodable {
            struct Active: Encodable {
                let entry: TimedEntry
                let shownParts: [String]
                let acceptsAnswer: Bool
            }

            let position: Double
            let active: [Active]
            let next: TimedEntry?
        }

        func run() async throws {
            let timeline = try await TimedCommand.timeline(file, format: format?.format)
            if let at {
                try show(timeline, at: at.time)
            } else if json {
                Terminal.print(try JSON.document(timeline))
            } else {
                show(timeline)
            }
        }

        private func show(_ timeline: Timeline) {
            let count = DisplayText.plural(timeline.entries.count, "entry", "entries")
            Terminal.print(Terminal.bold(file) + " (\(count))" + (timeline.reference.map { " for \($0)" } ?? ""))
            for (name, value) in timeline.metadata.sorted(by: { $0.key < $1.key }) {
                Terminal.print("  \(name): \(Self.text(value))")
            }
            for entry in timeline.entries {
                Terminal.print("  " + Self.row(entry))
                for part in entry.parts {
                    Terminal.print(
                        "  \(Self.padded(DisplayText.position(part.start)))              + \(part.title ?? part.id)"
                    )
                }
            }
        }

        private func show(_ timeline: Timeline, at position: MediaTime) throws {
            let active = timeline.active(at: position)
            let next = timeline.next(after: position)
            if json {
                let moment = Moment(
                    position: position.seconds,
                    active: active.map {
                        Moment.Active(
                            entry: $0,
                            shownParts: $0.shownParts(at: position).map(\.id),
                            acceptsAnswer: $0.acceptsAnswer(at: position)
                        )
                    },
                    next: next
                )
                Terminal.print(try JSON.document(moment))
                return
            }
            Terminal.print(Terminal.bold("at \(DisplayText.position(position))"))
            if active.isEmpty { Terminal.print("  nothing is active") }
            for entry in active {
                let answer = entry.acceptsAnswer(at: position) ? "  (takes an answer)" : ""
                Terminal.print("  active " + Self.row(entry) + answer)
                for part in entry.shownParts(at: position) { Terminal.print("         + \(part.title ?? part.id)") }
            }
            if let next {
                Terminal.print("  next   \(Self.row(next))  (in \(TimeText.string(next.start - position)))")
            } else {
                Terminal.print("  next   nothing")
            }
        }

        private static func row(_ entry: TimedEntry) -> String {
            let end = padded(entry.end.map(DisplayText.position) ?? "")
            var notes: [String] = []
            if entry.lane != 0 { notes.append("lane \(entry.lane)") }
            if let range = entry.answerRange {
                let span = "\(DisplayText.position(range.lowerBound)) to \(DisplayText.position(range.upperBound))"
                notes.append((entry.requiresAnswer ? "answer " : "answer allowed ") + span)
            }
            notes += entry.payload.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
            let title = entry.title.split(whereSeparator: \.isNewline).joined(separator: " / ")
            let tail = notes.isEmpty ? "" : Terminal.dim("  [\(notes.joined(separator: ", "))]")
            return "\(padded(DisplayText.position(entry.start))) \(end)  \(title.isEmpty ? entry.id : title)\(tail)"
        }

        private static func padded(_ text: String) -> String {
            String(repeating: " ", count: max(0, 11 - text.count)) + text
        }

        private static func text(_ value: PropertyValue) -> String {
            let text = value.string ?? (try? JSON.line(JSONValue(value))) ?? ""
            return text.count > 60 ? text.prefix(59) + "…" : text
        }
    }

    struct CheckCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Find mistakes in timed content.",
            discussion: """
                What breaks a rule ends the command with status 1. What is allowed and probably not meant, such as an entry \
                behind the end of the reference, is said and leaves the status 0.

                EXAMPLES
                  earshot timed check lesson.json --duration 12:34
                """
        )

        @Argument(help: "Timed content, a media file with chapters, or - for standard input.", completion: .file())
        var file: String

        @Option(name: .long, help: "The form of the input, where content and suffix do not say it.")
        var format: TimedForm?

        @Option(name: .long, help: "How long the reference is: seconds, m:ss, h:mm:ss or 1h2m3s.")
        var duration: TimedTime?

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        private struct Report: Encodable {
            struct Warning: Encodable {
                let entry: String
                let message: String
            }

            let file: String
            let entries: Int
            let warnings: [Warning]
        }

        func run() async throws {
            let timeline = try await TimedCommand.timeline(file, format: format?.format)
            let warnings = timeline.warnings(duration: duration?.time)
            if json {
                let list = warnings.map { Report.Warning(entry: $0.entryID, message: $0.message) }
                Terminal.print(try JSON.document(Report(file: file, entries: timeline.entries.count, warnings: list)))
                return
            }
            for warning in warnings { Terminal.note("warning: \(warning.message)") }
            let count = DisplayText.plural(timeline.entries.count, "entry", "entries")
            Terminal.print("\(file): \(count), \(DisplayText.plural(warnings.count, "warning", "warnings"))")
        }
    }
}
