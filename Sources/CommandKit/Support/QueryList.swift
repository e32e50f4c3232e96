package import EarshotCore
package import Foundation

/// A list of queries with known answers.
package struct QueryList {
    package struct Query: Sendable {
        package let id: String
        package let url: URL
    }

    package let queries: [Query]

    /// - Throws: `assetNotFound` when there is no such list, `assetUnreadable` when it lacks a column or has no rows.
    package init(contentsOf url: URL) throws(EarshotError) {
        let text: String
        do {
            text = try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw EarshotError(
                .assetNotFound,
                "There is no readable list of queries at \(url.path): check the path.",
                cause: error
            )
        }
        let rows = CSV.rows(text)
        guard let header = rows.first, let id = header.firstIndex(of: "query_id"),
            let path = header.firstIndex(of: "path"), rows.contains(where: { $0.count > max(id, path) && $0 != header })
        else {
            throw EarshotError(
                .assetUnreadable,
                "\(url.path) is not a list of queries: it needs a header with query_id and path, and rows below it."
            )
        }
        let folder = url.deletingLastPathComponent()
        queries = rows.dropFirst().filter { $0.count > max(id, path) }.map {
            Query(id: $0[id], url: URL(fileURLWithPath: $0[path], relativeTo: folder))
        }
    }
}
