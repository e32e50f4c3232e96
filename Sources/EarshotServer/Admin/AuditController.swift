import EarshotAPI
import EarshotCore
import Hummingbird

/// Tells the operator who changed what.
struct AuditController: Controller {
    let log: AuditLog

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/admin/audit",
                id: "audit",
                summary: """
                    The changes of what the service keeps and of who may use it, in order, with the digest of the last one, which \
                    vouches for all before it.
                    """,
                tag: "Operator",
                access: .admin,
                parameters: [
                    Endpoint.Parameter(
                        name: "after",
                        schema: ["type": "integer", "minimum": 0, "maximum": 1_000_000_000_000],
                        summary:
                            "The number after which entries come: that of the last one of the page before. Default: 0."
                    ),
                    Endpoint.Parameter(
                        name: "limit",
                        schema: ["type": "integer", "minimum": 1, "maximum": 1_000],
                        summary: "How many entries, at most. Default: 100."
                    ),
                ],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The entries.",
                        type: "application/json",
                        schema: Schemas.reference("AuditPage")
                    )
                ],
                handler: { context in
                    let after = try context.number("after", 0...1_000_000_000_000, default: 0)
                    let limit = try context.number("limit", 1...1_000, default: 100)
                    let log = log
                    let (entries, summary) = try await BlockingWork.run { () throws(EarshotError) in
                        try log.entries(after: after, limit: limit)
                    }
                    return try .json(
                        Page(entries: entries, count: summary.count, digest: summary.digest, fault: summary.fault)
                    )
                }
            )
        ]
    }

    private struct Page: Encodable {
        let entries: [AuditEntry]
        let count: Int
        let digest: String
        let fault: Int?
    }
}
