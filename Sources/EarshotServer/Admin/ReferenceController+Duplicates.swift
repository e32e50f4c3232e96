import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotRecognition
import Hummingbird

extension ReferenceController {
    /// A page of the list of references that have audio in common with others.
    private struct DuplicatePage: Encodable {
        let pairs: [Pair]
        /// The index of the first reference that was compared, from 0.
        let offset: Int
        /// The index of the first reference of the next page; `nil` at the end.
        let next: Int?
        /// The number of references in the catalog.
        let total: Int
    }

    /// A reference and another one that has audio in common with it.
    struct Pair: Encodable, Sendable {
        var reference: ReferenceRecord
        var other: ReferenceRecord
        let relation: String
        let coverage: Double
        let otherCoverage: Double
        let speed: Double
        let offset: Double
    }

    /// The most references that one request compares.
    private static let compared = 100
    /// The most pairs of a reference. Without it, each of a hundred copies would have 99.
    private static let pairsOfOne = 20

    /// Compares references with all others, a few at a time.
    var duplicates: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/catalog/duplicates",
            id: "duplicates",
            summary: """
                References that have audio in common with others. A request compares some references, in order of adding, with all \
                others; repeat it with the offset next until there is none. A reference has 20 pairs at most, the most alike first. A pair may come \
                twice, once for each of both.
                """,
            tag: "Catalog",
            access: .right(.references),
            parameters: [
                Endpoint.Parameter(
                    name: "offset",
                    schema: ["type": "integer", "minimum": 0, "default": 0],
                    summary: "The place of the first reference that is compared."
                ),
                Endpoint.Parameter(
                    name: "limit",
                    schema: ["type": "integer", "minimum": 1, "maximum": .integer(Self.compared), "default": 20],
                    summary: "The number of references that are compared, at most."
                ),
            ],
            isQueued: true,
            responses: [
                Endpoint.Response(
                    status: 200,
                    summary: "The pairs.",
                    type: "application/json",
                    schema: Schemas.reference("DuplicatePage")
                )
            ],
            handler: { context in
                let offset = try context.number("offset", 0...100_000_000, default: 0)
                let limit = try context.number("limit", 1...Self.compared, default: 20)
                let (catalog, queue) = (try await catalog.whole(), queue)
                let found = try await context.untilSenderLeaves {
                    let cancellation = Cancellation()
                    return try await withTaskCancellationHandler {
                        try await queue.run { () throws(EarshotError) in
                            try Self.compare(catalog, offset, limit, cancellation)
                        }
                    } onCancel: {
                        cancellation.cancel()
                    }
                }
                var pairs = found.pairs
                if !pairs.isEmpty, context.identity.rights.contains(.media) {
                    let files = await sources.state()
                    for index in pairs.indices {
                        pairs[index].reference.asset = files.asset(of: pairs[index].reference)
                        pairs[index].other.asset = files.asset(of: pairs[index].other)
                    }
                }
                let next = offset + limit
                return try .json(
                    DuplicatePage(
                        pairs: pairs,
                        offset: offset,
                        next: next < found.total ? next : nil,
                        total: found.total
                    )
                )
            }
        )
    }

    /// Compares references with all others.
    ///
    /// - Parameter cancellation: Cancels the comparison before the next reference.
    /// - Throws: `cancelled`, `storeDamaged`.
    static func compare(
        _ catalog: Catalog,
        _ offset: Int,
        _ limit: Int,
        _ cancellation: Cancellation
    ) throws(EarshotError) -> (pairs: [Pair], total: Int) {
        let page = try catalog.page(offset: offset, limit: limit)
        var found: [Pair] = []
        for reference in page.references {
            guard !cancellation.isCancelled else {
                throw EarshotError(.cancelled, "The comparison was canceled: its sender has left.")
            }
            found += try pairs(of: reference, in: catalog)
        }
        return (found, page.total)
    }

    private static func pairs(
        of summary: ReferenceSummary,
        in catalog: Catalog
    ) throws(EarshotError) -> [Pair] {
        guard let reference = try catalog.reference(summary.id) else { return [] }
        // Otherwise the reference itself would be its closest duplicate, and the only one.
        var others = catalog
        try others.remove(reference.id)
        var pairs: [Pair] = []
        for duplicate in try others.duplicates(of: reference.signature).prefix(pairsOfOne) {
            guard let other = try catalog.reference(duplicate.id) else { continue }
            pairs.append(
                Pair(
                    reference: ReferenceRecord(reference),
                    other: ReferenceRecord(other),
                    relation: duplicate.relation.rawValue,
                    coverage: duplicate.coverage,
                    otherCoverage: duplicate.referenceCoverage,
                    speed: duplicate.speed,
                    offset: duplicate.offset.seconds
                )
            )
        }
        return pairs
    }
}
