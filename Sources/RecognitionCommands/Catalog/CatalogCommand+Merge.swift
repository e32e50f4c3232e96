import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    struct MergeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge",
            abstract: "Join catalogs into a new one. Equal references are kept once."
        )

        @Argument(help: "Catalogs.", completion: .file(extensions: ["earcat", "earstore"]))
        var catalogs: [String]

        @Option(
            name: .shortAndLong,
            help: "Write the result here.",
            completion: .file(extensions: ["earcat", "earstore"])
        )
        var output: String

        @Flag(name: .long, help: "Replace an existing output.")
        var replace = false

        @OptionGroup var format: JSONOption

        func validate() throws { try CatalogCommand.checkName(output) }

        func run() async throws {
            let destination = URL(fileURLWithPath: output)
            if !replace, FileManager.default.fileExists(atPath: output) { throw AtomicFile.exists(destination) }
            guard let first = catalogs.first else { return }
            var merged = Catalog(queryLimits: try CatalogArgument.open(first).queryLimits)
            var sources: [JSONValue] = []
            for path in catalogs {
                let result = try merged.add(contentsOf: URL(fileURLWithPath: path))
                sources.append(
                    .object([
                        "catalog": .string(path), "added": .integer(result.added), "skipped": .integer(result.skipped),
                    ])
                )
                if !format.json {
                    Terminal.note("\(path): \(result.added) added, \(result.skipped) there already")
                }
            }
            var written = destination
            if case .store = CatalogForm(destination) {
                // A store is not taken the place of: nobody could go on with the one that was there.
                let joined = merged
                try CatalogStore.create(at: destination, queryLimits: merged.queryLimits).change { $0 = joined }
            } else {
                written = try merged.write(to: destination, replacing: replace)
            }
            try format.print(
                "\(written.path): \(DisplayText.plural(merged.count, "reference", "references"))",
                ["catalog": .string(written.path), "references": .integer(merged.count), "sources": .array(sources)]
            )
        }
    }
}
