import ArgumentParser
import Earshot
import Foundation

extension CatalogCommand {
    struct UpdateCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update",
            abstract: "Add what is new in folders of music, and replace what has changed."
        )

        @Argument(help: "Folders and files, then the catalog.", completion: .file())
        var arguments: [String]

        @Option(name: .shortAndLong, help: "Files worked on at once (default: one a core).")
        var jobs: Int?

        @Flag(name: .long, help: "Remove references whose file is gone.")
        var removeMissing = false

        @OptionGroup var duplicates: DuplicateOption

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func validate() throws {
            guard arguments.count >= 2 else { throw ValidationError("Name at least one folder, and the catalog last.") }
            guard (jobs ?? 1) >= 1 else { throw ValidationError("--jobs must be at least 1.") }
        }

        func run() async throws {
            let build = CatalogBuild(
                destination: URL(fileURLWithPath: arguments[arguments.count - 1]),
                jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
                duplicates: duplicates.duplicates
            )
            let report = try await build.update(from: arguments.dropLast(), removesMissing: removeMissing)
            try CatalogCommand.print(report, json: json)
        }
    }
}
