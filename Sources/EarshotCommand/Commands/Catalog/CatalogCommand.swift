import ArgumentParser
import Earshot
import Foundation

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Make and look after catalogs.",
        discussion: """
            EXAMPLES
              earshot catalog create ~/Music -o music.earcat
              earshot catalog update ~/Music music.earcat
              earshot catalog list music.earcat
              earshot catalog merge a.earcat b.earcat -o both.earcat
            """,
        subcommands: [
            CreateCommand.self, UpdateCommand.self, AddCommand.self, ListCommand.self, ShowCommand.self,
            RemoveCommand.self, MergeCommand.self, ExportCommand.self, VerifyCommand.self,
        ]
    )

    /// Opens the catalog of an argument.
    static func open(_ path: String) throws -> Catalog { try Catalog(contentsOf: URL(fileURLWithPath: path)) }

    /// Says what a build did.
    static func print(_ report: CatalogBuild.Report, json: Bool) throws {
        if json {
            Console.say(try JSON.document(report))
            return
        }
        for failure in report.skipped { Console.complain("skipped \(failure.file): \(failure.message)") }
        var parts = ["\(report.added) added"]
        if report.replaced > 0 { parts.append("\(report.replaced) replaced") }
        if report.removed > 0 { parts.append("\(report.removed) removed") }
        if report.unchanged > 0 { parts.append("\(report.unchanged) unchanged") }
        if report.resumed > 0 { parts.append("\(report.resumed) of them from the interrupted run") }
        if !report.skipped.isEmpty { parts.append("\(report.skipped.count) skipped") }
        let length = Wording.length(MediaTime(seconds: report.audioSeconds))
        Console.say(
            "\(report.catalog): \(Wording.plural(report.references, "reference", "references")), "
                + "\(Wording.bytes(report.bytes)) (\(parts.joined(separator: ", "))); "
                + "\(length) of audio in \(String(format: "%.1f s", report.seconds))"
        )
    }
}

extension CatalogCommand {
    struct CreateCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make a catalog of folders of music.",
            discussion: """
                Folders are searched to the bottom. Titles come from tags. Files that cannot be read are reported and left \
                out. An interrupted run keeps what is done in a folder beside the catalog; the same command goes on there.
                """
        )

        @Argument(help: "Folders and files.", completion: .directory)
        var music: [String]

        @Option(name: .shortAndLong, help: "Write the catalog here.", completion: .file(extensions: ["earcat"]))
        var output: String

        @Option(name: .shortAndLong, help: "Files worked on at once (default: one a core).")
        var jobs: Int?

        @Option(name: .long, help: "The shortest query that the catalog takes, in seconds.")
        var minimumQuery = 1.0

        @Option(name: .long, help: "The longest query that the catalog takes, in seconds.")
        var maximumQuery = 15.0

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func validate() throws {
            guard minimumQuery > 0, maximumQuery >= minimumQuery, maximumQuery <= 3600 else {
                throw ValidationError("Queries last from --minimum-query to --maximum-query, at most 3600 s.")
            }
            guard (jobs ?? 1) >= 1 else { throw ValidationError("--jobs must be at least 1.") }
        }

        func run() async throws {
            let build = CatalogBuild(
                destination: URL(fileURLWithPath: output),
                jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount
            )
            let limits = Catalog.QueryLimits(
                minimum: MediaTime(seconds: minimumQuery),
                maximum: MediaTime(seconds: maximumQuery)
            )
            try CatalogCommand.print(try await build.create(from: music, limits: limits), json: json)
        }
    }

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

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func validate() throws {
            guard arguments.count >= 2 else { throw ValidationError("Name at least one folder, and the catalog last.") }
            guard (jobs ?? 1) >= 1 else { throw ValidationError("--jobs must be at least 1.") }
        }

        func run() async throws {
            let build = CatalogBuild(
                destination: URL(fileURLWithPath: arguments[arguments.count - 1]),
                jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount
            )
            let report = try await build.update(from: arguments.dropLast(), removesMissing: removeMissing)
            try CatalogCommand.print(report, json: json)
        }
    }

    struct AddCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add audio files or signatures to a catalog.",
            discussion: """
                EXAMPLES
                  earshot catalog add music.earcat song.flac
                  earshot catalog add shows.earcat episode3.earsig --id episode-3 --set title="Count on Me" --set episode=3
                """
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat"]))
        var catalog: String

        @Argument(help: "Audio files and signatures.", completion: .file())
        var inputs: [String]

        @Option(name: .long, help: "The reference's name (one input only; default: the file's name).")
        var id: String?

        @Option(
            name: .long,
            help:
                "A property of the media item, KEY=VALUE; may be repeated. Whole numbers, reals, true and false are stored as such."
        )
        var set: [String] = []

        func validate() throws {
            guard id == nil || inputs.count == 1 else { throw ValidationError("--id needs exactly one input.") }
            for property in set where !property.contains("=") {
                throw ValidationError("\"\(property)\" is not KEY=VALUE.")
            }
        }

        func run() async throws {
            var catalog = try CatalogCommand.open(self.catalog)
            for input in inputs {
                let url = Clip.url(input)
                let isSignature = url.pathExtension.lowercased() == "earsig"
                var properties = isSignature ? [:] : MediaItem(try await Asset.load(url)).properties
                for (key, value) in set.map(PropertyArgument.init).map({ ($0.key, $0.value) }) {
                    properties[key] = value
                }
                let items = properties.isEmpty ? [] : [try MediaItem(properties: properties)]
                let signature = try await Clip.signature(input)
                let name = try catalog.add(
                    signature,
                    representing: items,
                    id: ReferenceID(id ?? url.lastPathComponent)
                )
                Console.note("Added \(name).")
            }
            try catalog.write(to: URL(fileURLWithPath: self.catalog), replacing: true)
        }
    }

    struct RemoveCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove references by name; their audio is not needed."
        )

        @Argument(help: "The catalog.", completion: .file(extensions: ["earcat"]))
        var catalog: String

        @Argument(help: "Names, as `catalog list` shows them.")
        var names: [String]

        func run() async throws {
            var catalog = try CatalogCommand.open(self.catalog)
            for name in names { try catalog.remove(ReferenceID(name)) }
            try catalog.write(to: URL(fileURLWithPath: self.catalog), replacing: true)
            Console.note("Removed \(Wording.plural(names.count, "reference", "references")); \(catalog.count) left.")
        }
    }

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
            try merged.write(to: destination, replacing: replace)
            Console.say("\(output): \(Wording.plural(merged.count, "reference", "references"))")
        }
    }

    struct VerifyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check every byte of catalogs."
        )

        @Argument(help: "Catalogs.", completion: .file(extensions: ["earcat"]))
        var catalogs: [String]

        func run() async throws {
            for path in catalogs {
                let catalog = try CatalogCommand.open(path)
                try catalog.verify()
                Console.say("\(path): \(Wording.plural(catalog.count, "reference", "references")), intact")
            }
        }
    }
}
