import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird

/// Shows the audit log to the operator.
struct AuditController: Controller {
    let log: AuditLog

    private static let latest = 1_000_000_000_000

    var endpoints: [Endpoint] { [entries, file] }

    private var entries: Endpoint {
        func number(_ name: String, _ summary: String) -> Endpoint.Parameter {
            Endpoint.Parameter(
                name: name,
                schema: ["type": "integer", "minimum": 0, "maximum": .integer(Self.latest)],
                summary: summary
            )
        }
        return Endpoint(
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
                number(
                    "after",
                    "The number after which entries come: that of the last one of the page before. Default: 0."
                ),
                number(
                    "before",
                    "The number before which entries come, the latest first: that of the last one of the page before, or 0 for the first page."
                ),
                Endpoint.Parameter(
                    name: "limit",
                    schema: ["type": "integer", "minimum": 1, "maximum": 1_000],
                    summary: "How many entries, at most. Default: 100."
                ),
                .text("who", "A part of who made the change, in any case of its letters."),
                .text("what", "A part of what was done or to which thing, in any case of its letters."),
                .text("day", "The day of the change by UTC, as 2026-01-31."),
            ],
            responses: [
                Endpoint.Response(
                    status: 200,
                    summary: "The entries.",
                    type: "application/json",
                    schema: Schemas.reference("AuditPage")
                )
            ],
            handler: { try await page($0) }
        )
    }

    private var file: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/admin/audit/file",
            id: "auditFile",
            summary:
                "The whole audit log as it is kept: a line for each change, with the digest that vouches for all lines up to it.",
            tag: "Operator",
            access: .admin,
            responses: [
                Endpoint.Response(status: 200, summary: "The log.", type: "text/plain", schema: ["type": "string"])
            ],
            handler: { context in
                let url = log.url
                let type = "text/plain; charset=utf-8"
                var response =
                    FileManager.default.fileExists(atPath: url.path)
                    ? try Response.file(url, type: type, tag: nil, [:]) : .text("", type: type)
                let day = context.now.ISO8601Format().prefix(10)
                response.headers[.contentDisposition] = "attachment; filename=\"audit-\(day).log\""
                return response
            }
        )
    }

    private struct Page: Encodable {
        let entries: [AuditEntry]
        let count: Int
        let matching: Int
        let digest: String
        let fault: Int?
    }

    private func page(_ context: RequestContext) async throws -> Response {
        var query = AuditLog.Query()
        query.after = try context.number("after", 0...Self.latest, default: 0)
        if context.parameters.contains(where: { $0.name == "before" }) {
            query.before = try context.number("before", 0...Self.latest, default: 0)
        }
        query.limit = try context.number("limit", 1...1_000, default: 100)
        query.who = try context.text("who")?.lowercased()
        query.what = try context.text("what")?.lowercased()
        query.day = try context.text("day", upTo: 10)
        let log = log
        let found = try await BlockingWork.run { [query] () throws(EarshotError) in try log.entries(query) }
        return try .json(
            Page(
                entries: found.entries,
                count: found.summary.count,
                matching: found.matching,
                digest: found.summary.digest,
                fault: found.summary.fault
            )
        )
    }
}
