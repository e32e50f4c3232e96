import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    struct UpdateCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update",
            abstract: "Add what is new in folders of music or exported folders, and replace what has changed.",
            discussion: """
                With --items, media items of files that have not changed are brought up to date too; `earshot catalog create \
                --help` says what a table looks like.
                """
        )

        @Argument(help: "Folders and files, then the catalog.", completion: .file())
        var arguments: [String]

        @Option(name: .shortAndLong, help: "Files worked on at once (default: one a core).")
        var jobs: Int?

        @Flag(name: .long, help: "Remove references whose file is gone.")
        var removeMissing = false

        @Option(
            name: .long,
            help: "A table of media items: CSV, JSON or a property list with a row for each file.",
            completion: .file(extensions: ["csv", "json", "plist"])
        )
        var items: String?

        @OptionGroup var duplicates: DuplicateOption

        @OptionGroup var waiting: WaitOptions

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func validate() throws {
            guard arguments.count >= 2 else { throw ValidationError("Name at least one folder, and the catalog last.") }
            guard (jobs ?? 1) >= 1 else { throw ValidationError("--jobs must be at least 1.") }
        }

        func run() async throws {
            var options = CatalogBuild.Options()
            options.jobs = jobs
            options.duplicates = duplicates.duplicates
            options.items = try items.map { try ItemTable(contentsOf: URL(fileURLWithPath: $0)) }
            options.patience = waiting.patience(arguments[arguments.count - 1])
            let destination = URL(fileURLWithPath: arguments[arguments.count - 1])
            let build = CatalogBuild(destination, options: options, observe: BuildProgress(destination).take)
            let report = try await build.update(
                from: arguments.dropLast().map { URL(fileURLWithPath: $0) },
                removesMissing: removeMissing
            )
            try CatalogCommand.print(report, json: json)
        }
    }
}
