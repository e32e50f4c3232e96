import ArgumentParser
import CommandKit
import EarshotCore
import EarshotNodes
import EarshotPostgreSQL
import EarshotSharedCatalogs

extension ClusterCommand {
    struct Copies: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show or set how many nodes hold each segment of a catalog.",
            discussion: """
                By default all nodes hold all, and each answers alone. With a number below that of the nodes each holds a part, and they \
                search the catalog together: the nodes that have a clusterAddress and cacheBytes. Two copies outlast the loss of one node. \
                Nodes fetch what is placed on them within seconds to minutes, and answer meanwhile.

                EXAMPLES
                  earshot cluster copies catalog --database postgresql://earshot@db/earshot
                  earshot cluster copies catalog 2
                  earshot cluster copies catalog all
                """
        )

        /// A number of copies.
        struct Count: ExpressibleByArgument, Equatable {
            /// The most that are of use: more nodes than that hold a catalog each.
            private static let most = 1_000

            /// The number; `nil` for all.
            let number: Int?

            init?(argument: String) {
                if argument == "all" {
                    number = nil
                } else {
                    guard let count = Int(argument), (1...Self.most).contains(count) else { return nil }
                    number = count
                }
            }
        }

        @Argument(help: "The name of the catalog.") var catalog: String
        @Argument(
            help: "The number of nodes that hold each segment, from 1 on, or `all`; without it the number is shown."
        )
        var copies: Count?
        @OptionGroup var nodes: NodeOptions
        @OptionGroup var format: JSONOption

        func run() async throws {
            let pool = try await nodes.pool(.existing, for: .catalogs)
            let manifests = try await PostgreSQLManifestStore(pool)
            if let copies { try await manifests.setCopies(copies.number, of: catalog) }
            guard let manifest = try await manifests.manifest(of: catalog) else {
                throw SharedManifest.missing(catalog)
            }
            let records = try await PostgreSQLNodeStore.existing(in: pool)?.nodes() ?? []
            let holders = SegmentPlacement(records, copies: manifest.copies ?? 1).nodes.values
            let room = holders.reduce(0) { $0 + ($1.cacheBytes ?? 0) }
            let members: [String: JSONValue] = [
                "catalog": .string(catalog),
                "copies": manifest.copies.map { .integer(Int64($0)) } ?? .null,
                "bytes": .integer(Int64(manifest.size)),
                "nodes": .integer(Int64(holders.count)),
                "room": .integer(Int64(room)),
            ]
            try format.print(Self.text(catalog, manifest, holders.count), members)
            guard let number = manifest.copies, !holders.isEmpty else { return }
            let needed = min(number, holders.count) * manifest.size
            if needed > room {
                Terminal.note(
                    "The nodes have room for \(DisplayText.bytes(room)) of segments, and \(DisplayText.bytes(needed)) are placed on them: "
                        + "raise cacheBytes, or add nodes."
                )
            }
        }

        private static func text(_ catalog: String, _ manifest: SharedManifest, _ nodes: Int) -> String {
            guard let number = manifest.copies else { return "\(catalog): each node holds all segments" }
            let copies = DisplayText.plural(number, "copy", "copies")
            guard nodes > number else {
                return "\(catalog): \(copies) of each segment, so each of \(nodes) that search for others holds all"
            }
            return "\(catalog): \(copies) of each segment on \(DisplayText.plural(nodes, "node", "nodes"))"
        }
    }
}
