import Earshot
import Foundation

/// Queries of a folder, with the right answers where the folder's `queries.csv` has them.
public struct QueryFolder: Sendable {
    /// A query.
    public struct Query: Sendable {
        /// Its name.
        public let id: String
        /// Its signature.
        public let signature: Signature
        /// How long it is, in whole seconds.
        public let length: Int
        /// What was done to it.
        public let condition: String
        /// The right reference's file name without suffix; nothing when there is none, or it is not known.
        public let truth: String?
        /// Where in the reference it begins, in seconds.
        public let offset: Double?
    }

    /// The queries that can be asked.
    public let queries: [Query]

    /// Reads a folder: the rows of `queries.csv` (`query_id`, `path`, `condition`, `true_id`, `true_offset_s`), or every
    /// recording and signature in it.
    ///
    /// - Parameter limit: Queries that are taken, at most, evenly out of all.
    /// - Throws: ``Failure`` when there are none.
    public init(_ path: String, limit: Int, jobs: Int = ProcessInfo.processInfo.activeProcessorCount) throws {
        let folder = URL(fileURLWithPath: path)
        let list = folder.appendingPathComponent("queries.csv")
        var wanted: [(id: String, url: URL, condition: String, truth: String?, offset: Double?)] = []
        if FileManager.default.fileExists(atPath: list.path) {
            let table = try CSVTable(contentsOf: list)
            let id = try table.requiredColumn("query_id", of: list.path)
            let file = try table.requiredColumn("path", of: list.path)
            let (condition, truth) = (table.column("condition"), table.column("true_id"))
            let offset = table.column("true_offset_s")
            for row in table.rows {
                let name = truth.map { row[$0] } ?? ""
                wanted.append(
                    (
                        row[id], folder.appendingPathComponent(row[file]), condition.map { row[$0] } ?? "",
                        name.isEmpty ? nil : name, offset.flatMap { Double(row[$0]) }
                    )
                )
            }
        } else {
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            wanted = names.filter { !$0.hasPrefix(".") }.map {
                ($0, folder.appendingPathComponent($0), "", nil, nil)
            }
        }
        if wanted.count > limit {
            let all = wanted
            // Evenly, but not in step with lengths and conditions that follow each other in turn.
            wanted = (0..<limit).map { all[$0 * all.count / limit] }
        }
        queries = try Parallel.map(wanted, jobs: jobs) { query -> Query? in
            let signature =
                query.url.pathExtension == "earsig"
                ? try Signature(contentsOf: query.url) : try Recording.signature(of: query.url)
            guard !signature.isEmpty, (1...15).contains(signature.duration.seconds) else { return nil }
            return Query(
                id: query.id,
                signature: signature,
                length: Int(signature.duration.seconds.rounded()),
                condition: query.condition,
                truth: query.truth,
                offset: query.offset
            )
        }.compactMap { $0 }
        guard !queries.isEmpty else { throw Failure("\(path) has no queries of 1 to 15 seconds.") }
    }
}
