import ArgumentParser
import CommandKit
import EarshotCore
import EarshotNodes
import EarshotPostgreSQL
import EarshotServer
import EarshotSharedCatalogs
import Foundation
import LibraryCommands

/// Tells of the nodes that share a database and a bucket, and looks for damage.
struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Look after several services that share a database and a bucket.",
        subcommands: [Status.self, Check.self, Drain.self, Undrain.self]
    )

    /// The database and the bucket that nodes share.
    struct Surroundings: ParsableArguments {
        @Option(
            name: .long,
            help: "The database in PostgreSQL, as postgresql://user@host/name. Without it EARSHOT_DATABASE."
        )
        var database: String?
        @Option(name: .long, help: "The bucket, as https://HOST/BUCKET. Without it EARSHOT_BUCKET.")
        var bucket: String?

        func pool() async throws(EarshotError) -> PostgreSQLPool {
            let address = database ?? ProcessInfo.processInfo.environment["EARSHOT_DATABASE"]
            guard let options = PostgreSQLOptions(ifAddress: address) else {
                throw EarshotError(
                    .configurationInvalid,
                    "Name the database that nodes share: --database postgresql://user@host/name, or EARSHOT_DATABASE."
                )
            }
            return try await CommandStores.pool(options, .existing)
        }

        func objects() throws(EarshotError) -> any ObjectStore {
            var options: [ServeConfiguration.Key: String] = [:]
            options[.bucket] = bucket
            let configuration = try ServeConfiguration(options: options, file: nil)
            guard let objects = try configuration.bucket(ProcessInfo.processInfo.environment) else {
                throw EarshotError(
                    .configurationInvalid,
                    "Name the bucket that nodes share: --bucket https://HOST/BUCKET, or EARSHOT_BUCKET."
                )
            }
            return objects
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the nodes that live, what they hold, and the catalogs.",
            discussion: """
                EXAMPLES
                  earshot cluster status --database postgresql://earshot@db/earshot
                """
        )
        @OptionGroup var surroundings: Surroundings
        @Flag(name: .long, help: "Print one JSON object.") var json = false

        private struct Report: Encodable {
            struct Held: Encodable {
                let name: String
                let node: String
                let seconds: Double
            }

            struct Shelf: Encodable {
                let name: String
                let generation: Int
                let segments: Int
                let references: Int
                let removed: Int
                let bytes: Int
            }

            let nodes: [NodeRecord]
            let leases: [Held]
            let catalogs: [Shelf]
        }

        private static func draining(_ node: NodeRecord) -> String {
            guard node.isDraining else { return "" }
            guard let work = node.work, work > 0 else {
                return node.isDrained ? ", may be stopped" : ", begins no more work"
            }
            return ", begins no more work, \(DisplayText.plural(work, "piece", "pieces")) of it under way"
        }

        func run() async throws {
            let pool = try await surroundings.pool()
            let nodes = try await PostgreSQLNodeStore(pool)
            let manifests = try await PostgreSQLManifestStore(pool)
            var catalogs: [Report.Shelf] = []
            for name in try await manifests.catalogs() {
                guard let manifest = try await manifests.manifest(of: name) else { continue }
                catalogs.append(
                    Report.Shelf(
                        name: name,
                        generation: manifest.generation,
                        segments: manifest.segments.count,
                        references: manifest.count,
                        removed: manifest.segments.reduce(0) { $0 + $1.removed.count },
                        bytes: manifest.size
                    )
                )
            }
            let report = Report(
                nodes: try await nodes.nodes(),
                leases: try await nodes.leases().map {
                    Report.Held(name: $0.name, node: $0.holder.rawValue, seconds: $0.seconds)
                },
                catalogs: catalogs
            )
            if json { return Terminal.print(try JSON.document(report)) }
            if report.nodes.isEmpty { Terminal.print("No node lives.") }
            for node in report.nodes {
                let generation = node.generation > 0 ? ", searches generation \(node.generation)" : ""
                Terminal.print("\(node.id)  \(node.name)\(generation)\(Self.draining(node))")
            }
            for lease in report.leases {
                Terminal.print("\(lease.node) holds \(lease.name) for \(Int(lease.seconds.rounded(.up))) s")
            }
            for catalog in report.catalogs {
                let references = DisplayText.plural(catalog.references, "reference", "references")
                let segments = DisplayText.plural(catalog.segments, "segment", "segments")
                Terminal.print(
                    "\(catalog.name): \(references) in \(segments), \(DisplayText.bytes(catalog.bytes)), generation \(catalog.generation)"
                )
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compare every object that the database names with the bucket.",
            discussion: """
                Each object is fetched, and its digest is compared. Ends with 1 if one is missing or damaged. Use it after a restore.

                EXAMPLES
                  earshot cluster check --database postgresql://earshot@db/earshot --bucket https://s3.example.org/earshot
                """
        )
        @OptionGroup var surroundings: Surroundings
        @Flag(name: .long, help: "Print one JSON object.") var json = false

        private struct Report: Encodable {
            let catalogs: [String: [String]]
            let publications: [String]
        }

        func run() async throws {
            let objects = try surroundings.objects()
            let pool = try await surroundings.pool()
            let manifests = try await PostgreSQLManifestStore(pool)
            try await objects.check()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var faults: [String: [String]] = [:]
            for name in try await manifests.catalogs() {
                let cache = try SegmentCache(folder, catalog: name, objects: objects)
                let catalog = try await SharedCatalog(name, manifests: manifests, cache: cache)
                let segments = try await manifests.manifest(of: name)?.segments.count ?? 0
                let bar = ProgressBar(total: segments)
                faults[name] = try await catalog.faults(in: folder) { _, _ in bar.step(audioSeconds: 0) }
                bar.finish()
            }
            let publications = SharedPublications(try await PostgreSQLPublicationStore(pool), objects: objects)
            let bar = ProgressBar(total: try await publications.all().count)
            let lost = try await publications.faults(in: folder) { bar.step(audioSeconds: 0) }
            bar.finish()
            if json {
                Terminal.print(try JSON.document(Report(catalogs: faults, publications: lost)))
            } else {
                for (name, found) in faults.sorted(by: { $0.key < $1.key }) {
                    if found.isEmpty { Terminal.print("\(name): all objects are there and whole") }
                    for fault in found { Terminal.print("\(name): \(fault)") }
                }
                for fault in lost { Terminal.print(fault) }
            }
            guard lost.isEmpty, faults.values.allSatisfy(\.isEmpty) else { throw ExitCode.failure }
        }
    }
}
