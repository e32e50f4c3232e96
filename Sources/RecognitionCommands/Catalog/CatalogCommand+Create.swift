import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    struct CreateCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make a catalog of folders of music.",
            discussion: """
                Folders are searched to the bottom. Titles come from tags. Files that cannot be read are reported and left \
                out. An interrupted run keeps what is done in a folder beside the catalog; the same command goes on there.

                The suffix says which form the catalog gets. One file (.earcat) is written at the end, and again whole at \
                every change. A store (.earstore), a folder, takes 64 references at a time and writes only what is new; it is \
                the form for catalogs that grow.

                What tags do not say comes from a table (--items): a column file, path or id says which file a row is for, \
                the others are properties, such as title, genres (Rock;Folk), timeRanges (0-24;30-40), or keys of one's own. \
                JSON is a list of objects with such keys, or an object of objects by file.

                A folder that `catalog export` wrote brings its references with their names and media items.
                """
        )

        @Argument(help: "Folders and files.", completion: .directory)
        var music: [String]

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: ArgumentHelp(
                "Write the catalog here.",
                discussion: "Without it EARSHOT_CATALOG, or catalog.earstore in the user's data folder."
            ),
            completion: .file(extensions: ["earcat", "earstore"])
        )
        var catalog: String?

        private var output: String { catalog ?? CatalogOption.own() }

        @Option(name: .shortAndLong, help: "Files worked on at once (default: one a core).")
        var jobs: Int?

        @Option(name: .long, help: "The shortest query that the catalog takes, in seconds (default: 1).")
        var minimumQuery: Double?

        @Option(name: .long, help: "The longest query that the catalog takes, in seconds (default: 15).")
        var maximumQuery: Double?

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

        /// Makes the user's data folder for a first catalog.
        private func makeFolder() throws(EarshotError) {
            let folder = URL(fileURLWithPath: output).deletingLastPathComponent()
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } catch {
                throw EarshotError(
                    .writeFailed,
                    "The folder \(folder.path) cannot be made: check its rights, or name a catalog with --output.",
                    cause: error
                )
            }
        }

        func validate() throws {
            try CatalogCommand.checkName(output)
            let (minimum, maximum) = (minimumQuery ?? 1, maximumQuery ?? max(15, minimumQuery ?? 15))
            guard minimum > 0, maximum >= minimum, maximum <= 3600 else {
                throw ValidationError("Queries last from --minimum-query to --maximum-query, at most 3600 s.")
            }
            guard (jobs ?? 1) >= 1 else { throw ValidationError("--jobs must be at least 1.") }
        }

        func run() async throws {
            if catalog == nil { try makeFolder() }
            let build = CatalogBuild(
                destination: URL(fileURLWithPath: output),
                jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
                duplicates: duplicates.duplicates,
                items: try items.map { try ItemTable(contentsOf: URL(fileURLWithPath: $0)) },
                patience: waiting.patience(output)
            )
            // Without options those of the first folder that was exported count.
            func limits(_ known: QueryLimits) -> QueryLimits {
                QueryLimits(
                    minimum: minimumQuery.map { MediaTime(seconds: $0) } ?? known.minimum,
                    maximum: maximumQuery.map { MediaTime(seconds: $0) } ?? known.maximum
                )
            }
            try CatalogCommand.print(try await build.create(from: music, limits: limits), json: json)
        }
    }
}
