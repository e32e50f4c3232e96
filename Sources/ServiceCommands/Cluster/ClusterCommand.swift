import ArgumentParser
import CommandKit
import EarshotCore
import EarshotNodes
import EarshotPostgreSQL
import EarshotServer
import EarshotSharedCatalogs
import Foundation

/// Tells of the nodes that share a database and a bucket, and looks for damage.
struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Look after several services that share a database and a bucket.",
        subcommands: [Status.self, Check.self, Copies.self, Drain.self, Undrain.self]
    )

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the nodes that live, what they hold, and the catalogs.",
            discussion: """
                EXAMPLES
                  earshot cluster status --database postgresql://earshot@db/earshot
                """
        )
        @OptionGroup var nodes: NodeOptions
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
                let copies: Int?
                let files: IngestProgress
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
            // An empty database, as one of which the address was mistaken, stays empty.
            let pool = try await nodes.pool(.existing)
            let register = try await PostgreSQLNodeStore.existing(in: pool)
            let manifests = try await PostgreSQLManifestStore.existing(in: pool)
            var catalogs: [Report.Shelf] = []
            for name in try await manifests?.catalogs() ?? [] {
                guard let manifests, let manifest = try await manifests.manifest(of: name) else { continue }
                catalogs.append(
                    Report.Shelf(
                        name: name,
                        generation: manifest.generation,
                        segments: manifest.segments.count,
                        references: manifest.count,
                        removed: manifest.segments.reduce(0) { $0 + $1.removed.count },
                        bytes: manifest.size,
                        copies: manifest.copies,
                        files: try await manifests.progress(of: name)
                    )
                )
            }
            let report = Report(
                nodes: try await register?.nodes() ?? [],
                leases: try await register?.leases().map {
                    Report.Held(name: $0.name, node: $0.holder.rawValue, seconds: $0.seconds)
                } ?? [],
                catalogs: catalogs
            )
            if json { return Terminal.print(try JSON.document(report)) }
            if report.nodes.isEmpty { Terminal.print("No node lives.") }
            for node in report.nodes {
                let generation = node.generation > 0 ? ", searches generation \(node.generation)" : ""
                let address = node.address.map { ", searches for others at \($0)" } ?? ""
                Terminal.print("\(node.id)  \(node.name)\(generation)\(address)\(Self.draining(node))")
            }
            for lease in report.leases {
                Terminal.print("\(lease.node) holds \(lease.name) for \(Int(lease.seconds.rounded(.up))) s")
            }
            if report.catalogs.isEmpty { Terminal.print("No catalog is shared.") }
            for catalog in report.catalogs {
                let references = DisplayText.plural(catalog.references, "reference", "references")
                let copies = catalog.copies.map { " in \(DisplayText.plural($0, "copy", "copies"))" } ?? ""
                let segments = DisplayText.plural(catalog.segments, "segment", "segments") + copies
                Terminal.print(
                    "\(catalog.name): \(references) in \(segments), \(DisplayText.bytes(catalog.bytes)), generation \(catalog.generation)"
                )
                guard catalog.files.left + catalog.files.failed > 0 else { continue }
                let files = DisplayText.plural(catalog.files.entered, "file", "files")
                Terminal.print("  \(files) entered: \(catalog.files.left) left, \(catalog.files.failed) failed")
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compare every object that the database names with the bucket.",
            discussion: """
                Each object is fetched, and its digest is compared. Ends with 1 if one is missing or damaged. Use it after a restore.
                Objects of catalogs that are older than a day and that the database does not know are counted; the service removes them.

                EXAMPLES
                  earshot cluster check --database postgresql://earshot@db/earshot --bucket https://s3.example.org/earshot
                """
        )
        @OptionGroup var nodes: NodeOptions
        @Flag(name: .long, help: "Print one JSON object.") var json = false

        private struct Report: Encodable {
            let catalogs: [String: [String]]
            let publications: [String]
            /// Objects of each catalog that the database does not know.
            let orphans: [String: Int]
        }

        func run() async throws {
            let objects = try nodes.objects()
            let pool = try await nodes.pool(.existing)
            guard let manifests = try await PostgreSQLManifestStore.existing(in: pool) else {
                throw EarshotError(
                    .storeUnavailable,
                    "There is no shared catalog in \(pool.options.name): name the database that nodes share."
                )
            }
            try await objects.check()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var faults: [String: [String]] = [:]
            var orphans: [String: Int] = [:]
            for name in try await manifests.catalogs() {
                let cache = try SegmentCache(folder, catalog: name, objects: objects)
                let catalog = try await SharedCatalog(name, manifests: manifests, cache: cache)
                let segments = try await manifests.manifest(of: name)?.segments.count ?? 0
                let bar = ProgressBar(total: segments)
                faults[name] = try await catalog.faults(in: folder) { _, _ in bar.step(audioSeconds: 0) }
                bar.finish()
                do throws(EarshotError) {
                    orphans[name] = try await catalog.orphanCount()
                } catch {
                    // Keys that may not list say nothing about the objects that are needed.
                    Terminal.printError("\(name): unknown objects of the bucket are not counted: \(error.message)")
                }
            }
            var lost: [String] = []
            if try await PostgreSQLPart.publications.exists(in: pool) {
                let publications = SharedPublications(try await PostgreSQLPublicationStore(pool), objects: objects)
                let bar = ProgressBar(total: try await publications.all().count)
                lost = try await publications.faults(in: folder) { bar.step(audioSeconds: 0) }
                bar.finish()
            }
            if json {
                Terminal.print(try JSON.document(Report(catalogs: faults, publications: lost, orphans: orphans)))
            } else {
                for (name, found) in faults.sorted(by: { $0.key < $1.key }) {
                    if found.isEmpty { Terminal.print("\(name): all objects are there and whole") }
                    for fault in found { Terminal.print("\(name): \(fault)") }
                    if let count = orphans[name], count > 0 {
                        let objects = DisplayText.plural(count, "object", "objects")
                        Terminal.print(
                            "\(name): \(objects) of the bucket unknown to the database; the service removes them"
                        )
                    }
                }
                for fault in lost { Terminal.print(fault) }
            }
            guard lost.isEmpty, faults.values.allSatisfy(\.isEmpty) else { throw ExitCode.failure }
        }
    }
}
