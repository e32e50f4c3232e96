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

                With --bucket and --database the catalog is one that services share, and --output is its name. The files are \
                entered in the database, and any number of machines works on them: this one, and those that run \
                `earshot catalog work NAME`. The command ends when no file is left; run again, it goes on, enters what is new, \
                and tries again what failed. Duplicates are not looked for.

                EXAMPLES
                  earshot catalog create ~/Music -o music.earcat
                  earshot catalog create --list files.txt -o music.earstore
                  earshot catalog create /srv/music -o music --bucket https://s3.example.org/earshot --database postgresql://earshot@db/earshot
                """
        )

        @Argument(help: "Folders and files.", completion: .directory)
        var music: [String] = []

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: ArgumentHelp(
                "Write the catalog here; with --bucket, its name.",
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

        @Option(
            name: .long,
            help: "A text file that names further files, one a line: paths, from the folder of the list on.",
            completion: .file()
        )
        var list: String?

        @OptionGroup var duplicates: DuplicateOption

        @OptionGroup var waiting: WaitOptions

        #if Service
            @OptionGroup var nodes: NodeOptions
        #endif

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        /// Says that the catalog is one that services share.
        private var isShared: Bool {
            #if Service
                return nodes.bucket != nil || nodes.database != nil
            #else
                return false
            #endif
        }

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
            guard !music.isEmpty || list != nil else {
                throw ValidationError("Name folders or files of music, or a --list of them.")
            }
            if isShared {
                guard catalog != nil else {
                    throw ValidationError("With --bucket and --database, name the catalog: --output NAME.")
                }
                guard duplicates.duplicates == .keep || duplicates.duplicates == .ignore else {
                    throw ValidationError("Duplicates are not looked for in a catalog that services share.")
                }
            } else {
                try CatalogCommand.checkName(output)
            }
            let (minimum, maximum) = (minimumQuery ?? 1, maximumQuery ?? max(15, minimumQuery ?? 15))
            guard minimum > 0, maximum >= minimum, maximum <= 3600 else {
                throw ValidationError("Queries last from --minimum-query to --maximum-query, at most 3600 s.")
            }
            guard (jobs ?? 1) >= 1 else { throw ValidationError("--jobs must be at least 1.") }
        }

        func run() async throws {
            #if Service
                if isShared { return try await runShared() }
            #endif
            if catalog == nil { try makeFolder() }
            var options = CatalogBuild.Options()
            options.jobs = jobs
            options.duplicates = duplicates.duplicates
            options.minimumQuery = minimumQuery.map { MediaTime(seconds: $0) }
            options.maximumQuery = maximumQuery.map { MediaTime(seconds: $0) }
            options.items = try items.map { try ItemTable(contentsOf: URL(fileURLWithPath: $0)) }
            options.list = list.map { URL(fileURLWithPath: $0) }
            options.patience = waiting.patience(output)
            let destination = URL(fileURLWithPath: output)
            let build = CatalogBuild(destination, options: options, observe: BuildProgress(destination).take)
            let report = try await build.create(from: music.map { URL(fileURLWithPath: $0) })
            try CatalogCommand.print(report, json: json)
        }

        #if Service
            private func runShared() async throws {
                var options = CatalogBuild.Options()
                options.minimumQuery = minimumQuery.map { MediaTime(seconds: $0) }
                options.maximumQuery = maximumQuery.map { MediaTime(seconds: $0) }
                // Faults of a list or a table are told before anything is made.
                try SharedBuild.check(output)
                let table = try items.map { try ItemTable(contentsOf: URL(fileURLWithPath: $0)) }
                let plan = try SharedBuild.Plan(music, list: list.map { URL(fileURLWithPath: $0) }, items: table)
                var build = try await SharedBuild(output, nodes, .making)
                build.jobs = jobs
                try await build.create(options)
                let entered = try await build.enter(plan)
                try CatalogCommand.print(try await build.work(entered), json: json)
            }
        #endif
    }
}
