import ArgumentParser
import Earshot
import Foundation

extension CatalogCommand {
    struct MergeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge",
            abstract: "Join catalogs. Equal references are kept once."
        )

        @Argument(help: "Catalogs.", completion: .file(extensions: ["earcat"]))
        var catalogs: [String]

        @Option(name: .shortAndLong, help: "Write the result here.", completion: .file(extensions: ["earcat"]))
        var output: String

        @Flag(name: .long, help: "Replace an existing output.")
        var replace = false

        func run() async throws {
            let destination = URL(fileURLWithPath: output)
            if !replace, FileManager.default.fileExists(atPath: output) { throw AtomicFile.exists(destination) }
            guard let first = catalogs.first else { return }
            var merged = Catalog(queryLimits: try CatalogCommand.open(first).queryLimits)
            for path in catalogs {
                let result = try merged.add(contentsOf: URL(fileURLWithPath: path))
                Console.note("\(path): \(result.added) added, \(result.skipped) there already")
            }
            let written = try merged.write(to: destination, replacing: replace)
            Console.say("\(written.path): \(Wording.plural(merged.count, "reference", "references"))")
        }
    }
}
