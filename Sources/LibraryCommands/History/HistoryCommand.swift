import ArgumentParser
import CommandKit
import EarshotCore
import EarshotRecognition
import Foundation

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show, export and remove what was recognized before.",
        discussion: """
            `earshot listen --history` and `earshot identify --history` add entries; 1,000 are kept, the oldest go first.

            EXAMPLES
              earshot history
              earshot history list --limit 50 --offset 50 --json
              earshot history export --format listenbrainz -o listens.json
            """,
        subcommands: [List.self, Show.self, Export.self, Remove.self, Clear.self],
        defaultSubcommand: List.self
    )

    /// Prints the JSON of a history.
    static func print(_ data: Data) { Terminal.print(String(decoding: data, as: UTF8.self)) }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List what was recognized, the newest first."
        )

        @Option(name: .long, help: "How many entries, at most.")
        var limit = 20

        @Option(name: .long, help: "Leave out so many of the newest.")
        var offset = 0

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        @OptionGroup var database: HistoryDatabase

        func validate() throws {
            guard limit >= 0 else { throw ValidationError("--limit must be 0 or more.") }
            guard offset >= 0 else { throw ValidationError("--offset must be 0 or more.") }
        }

        func run() async throws {
            let store = database.store
            let entries = try await store.entries(offset: offset, limit: limit)
            if json { return HistoryCommand.print(try HistoryDocument.json(entries)) }
            let count = try await store.count()
            if count == 0 { return Terminal.print("The history is empty.") }
            let width = String(entries.first?.id ?? 0).count
            for entry in entries { Terminal.print(HistoryText(entry).line(width: width)) }
            let next = offset + entries.count
            if !entries.isEmpty, next < count { Terminal.note("\(next) of \(count): --offset \(next) shows the next.") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show all that is known of an entry.",
            discussion: "Exit status 3: there is no such entry."
        )

        @Argument(help: "The number of the entry.")
        var id: Int

        @Flag(name: .long, help: "Print one JSON object, with the cover as Base64.")
        var json = false

        @OptionGroup var database: HistoryDatabase

        func run() async throws {
            let entry = try await database.entry(id)
            if json { return HistoryCommand.print(try HistoryDocument.json([entry], coverArt: true)) }
            for line in HistoryText(entry).lines { Terminal.print(line) }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove an entry. Its number is not given again.",
            discussion: "Exit status 3: there is no such entry."
        )

        @Argument(help: "The number of the entry.")
        var id: Int

        @OptionGroup var database: HistoryDatabase

        @OptionGroup var format: JSONOption

        func run() async throws {
            let entry = try await database.entry(id)
            try await database.store.remove(id)
            try format.print("Removed: " + HistoryText(entry).line(width: 0), ["removed": .integer(id)])
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Remove all entries. They cannot be brought back."
        )

        @Flag(name: .long, help: "Remove them without asking further.")
        var yes = false

        @OptionGroup var database: HistoryDatabase

        @OptionGroup var format: JSONOption

        func validate() throws {
            guard yes else { throw ValidationError("This removes all entries for good: say --yes to do it.") }
        }

        func run() async throws {
            let store = database.store
            let count = try await store.count()
            try await store.clear()
            try format.print("Removed \(DisplayText.plural(count, "entry", "entries")).", ["entries": .integer(count)])
        }
    }
}
