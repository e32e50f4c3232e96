import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import Hummingbird

/// Lists and forgets what was recognized for a user.
struct HistoryController: Controller {
    let accounts: any AccountStore

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/history",
                id: "history",
                summary: "What was recognized for the user, the latest first.",
                tag: "Accounts",
                access: .user,
                parameters: Schemas.page(limit: 100, default: 20),
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The history.",
                        type: "application/json",
                        schema: Schemas.reference("HistoryPage")
                    )
                ],
                handler: { try await history($0) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/history",
                id: "clearHistory",
                summary: "Forgets the user's history.",
                tag: "Accounts",
                access: .user,
                responses: [Endpoint.Response(status: 204, summary: "Forgotten.")],
                handler: { context in
                    if let id = context.identity.user { try await accounts.removeHistory(of: id, entry: nil) }
                    return .empty
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/history/{entry}",
                id: "removeHistoryEntry",
                summary: "Forgets one entry of the user's history.",
                tag: "Accounts",
                access: .user,
                parameters: [
                    Endpoint.Parameter(
                        name: "entry",
                        place: .path,
                        schema: ["type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991],
                        summary: "The entry.",
                        isRequired: true
                    )
                ],
                responses: [Endpoint.Response(status: 204, summary: "Forgotten."), .notFound],
                handler: { context in
                    guard let entry = Int(try context.path("entry")), entry > 0 else {
                        throw EarshotError(.requestInvalid, "An entry has a number from 1.")
                    }
                    if let id = context.identity.user { try await accounts.removeHistory(of: id, entry: entry) }
                    return .empty
                }
            ),
        ]
    }

    private func history(_ context: RequestContext) async throws -> Response {
        let offset = try context.number("offset", 0...1_000_000, default: 0)
        let limit = try context.number("limit", 1...100, default: 20)
        guard let user = context.identity.user else { throw EarshotError.missing("user", "me") }
        let entries = try await accounts.history(of: user, offset: offset, limit: limit)
        return try .json(
            HistoryPage(
                entries: entries,
                offset: offset,
                total: try await accounts.historyCount(of: user)
            )
        )
    }
}
