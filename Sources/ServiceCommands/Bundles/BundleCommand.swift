import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMonitor
import Foundation

struct BundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Make bundles of references for monitors, and keep them in a store on this machine.",
        discussion: """
            A bundle holds signatures with titles, works and data of your own. A monitor looks what it hears up in the store \
            before it asks anybody online.

            EXAMPLES
              earshot bundle build ads/ -o ads-12.earbundle --id ads --version 12
              earshot bundle build --manifest ads.csv -o ads-13.earbundle --id ads --version 13
              earshot bundle inspect ads-13.earbundle
              earshot bundle ingest ads-13.earbundle bundles/
              earshot bundle lookup clip.wav --at 1:30
            """,
        subcommands: [
            Build.self, Inspect.self, Fetch.self, Ingest.self, List.self, Lookup.self, Verify.self, Remove.self,
            Clear.self,
        ]
    )
}

// MARK: - What is in a store

extension BundleCommand {
    /// A bundle of a store as JSON.
    struct Record: Encodable {
        let id: String
        let version: UInt64
        let title: String?
        let created: Date
        let references: Int
        let works: Int
        let customData: Int
        let bytes: Int
        let storedBytes: Int
        let problem: String?

        init(_ bundle: StoredBundle, problem: EarshotError? = nil) {
            id = bundle.id
            version = bundle.version
            title = bundle.title
            created = bundle.creationDate
            references = bundle.referenceCount
            works = bundle.workCount
            customData = bundle.customDataCount
            bytes = bundle.byteCount
            storedBytes = bundle.storedByteCount
            self.problem = problem?.message
        }

        var line: String {
            var parts = ["\(id) \(version)", DisplayText.plural(references, "reference", "references")]
            if works > 0 { parts.append(DisplayText.plural(works, "work", "works")) }
            if customData > 0 { parts.append("\(customData) with data") }
            parts.append(DisplayText.bytes(storedBytes))
            if let title { parts.append(title) }
            return parts.joined(separator: "  ") + (problem.map { "\n  damaged: \($0)" } ?? "")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the bundles in the store."
        )

        @OptionGroup var store: BundleStoreOptions

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let fingerprints = try store.existing()
            let problems = try fingerprints.problems
            let records = try fingerprints.bundles.map { bundle in
                Record(bundle, problem: problems.first { $0.bundle == bundle }?.error)
            }
            if json { return Terminal.print(try JSON.document(["bundles": records])) }
            if records.isEmpty { Terminal.note("The store at \(store.url.path) is empty.") }
            for record in records { Terminal.print(record.line) }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Hold every byte of the store against its checksums."
        )

        @OptionGroup var store: BundleStoreOptions

        @OptionGroup var format: JSONOption

        func run() async throws {
            let fingerprints = try store.existing()
            try fingerprints.verify()
            let count = try fingerprints.bundles.count
            try format.print(
                "\(DisplayText.plural(count, "bundle", "bundles")) in order.",
                ["bundles": .integer(count)]
            )
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a bundle from the store.",
            discussion: "Exit status 3: the store has no such bundle."
        )

        @Argument(help: "The bundle's identifier, as `earshot bundle list` shows it.")
        var id: String

        @OptionGroup var store: BundleStoreOptions

        @OptionGroup var format: JSONOption

        func run() async throws {
            guard try await store.existing().remove(bundle: id) else {
                Terminal.note("There is no bundle \(id) in \(store.url.path).")
                throw ExitCode(3)
            }
            try format.print("Removed \(id).", ["removed": .string(id)])
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Remove all bundles from the store."
        )

        @Flag(name: .long, help: "Remove them without asking further.")
        var yes = false

        @OptionGroup var store: BundleStoreOptions

        @OptionGroup var format: JSONOption

        func validate() throws {
            guard yes else { throw ValidationError("This removes all bundles from the store: say --yes to do it.") }
        }

        func run() async throws {
            try await store.existing().clear()
            try format.print("The store at \(store.url.path) is empty.", ["store": .string(store.url.path)])
        }
    }
}
