import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotPieces
import EarshotRecognition
import Foundation
import Hummingbird

/// Manages clients, their users, and the signing keys, for the operator.
struct ClientController: Controller {
    let accounts: any AccountStore
    let pieces: any PieceStore
    let authenticator: Authenticator
    let keyring: Keyring
    let quota: QuotaMeter

    var endpoints: [Endpoint] {
        let client = Endpoint.Response(
            status: 200,
            summary: "The client.",
            type: "application/json",
            schema: Schemas.reference("ClientRecord")
        )
        let refusals: [Endpoint.Response] = [
            .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
        ]
        return [
            Endpoint(
                method: .get,
                path: "/v1/admin/clients",
                id: "clients",
                summary: "All clients.",
                tag: "Operator",
                access: .admin,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The clients.",
                        type: "application/json",
                        schema: Schemas.list("ClientRecord")
                    )
                ],
                handler: { context in try .json(try await accounts.clients().map { ClientRecord($0) }) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/admin/clients",
                id: "makeClient",
                summary: "Makes a client. Its identifier is told this once.",
                tag: "Operator",
                access: .admin,
                body: ["application/json": Schemas.reference("ClientChange")],
                responses: [
                    Endpoint.Response(
                        status: 201,
                        summary: "The client.",
                        type: "application/json",
                        schema: Schemas.reference("ClientRecord")
                    )
                ] + refusals,
                handler: { context in
                    let change = try await context.document(ClientChange.self)
                    let (client, identifier) = try await ClientRegister(accounts).make(
                        change,
                        at: context.now
                    )
                    context.note("id", client.id)
                    return try .json(ClientRecord(client, identifier: identifier), .created)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/admin/clients/{id}",
                id: "client",
                summary: "A client.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The client.")],
                responses: [client, .notFound],
                handler: { context in
                    try .json(ClientRecord(try await ClientRegister(accounts).client(try context.path("id"))))
                }
            ),
            Endpoint(
                method: .patch,
                path: "/v1/admin/clients/{id}",
                id: "changeClient",
                summary: "Changes a client: its name, what it is entitled to, its quotas, whether it is served.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The client.")],
                body: ["application/json": Schemas.reference("ClientChange")],
                responses: [client, .notFound] + refusals,
                handler: { context in
                    let change = try await context.document(ClientChange.self)
                    let changed = try await ClientRegister(accounts).change(try context.path("id"), change)
                    authenticator.forget(changed.id)
                    return try .json(ClientRecord(changed))
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/admin/clients/{id}",
                id: "removeClient",
                summary: "Forgets a client, its users and their histories.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The client.")],
                responses: [Endpoint.Response(status: 204, summary: "Forgotten."), .notFound],
                handler: { context in
                    let id = try context.path("id")
                    guard try await accounts.removeClient(id) else { throw EarshotError.missing("client", id) }
                    authenticator.forget(id)
                    return .empty
                }
            ),
            Endpoint(
                method: .post,
                path: "/v1/admin/clients/{id}/tag",
                id: "renewTag",
                summary:
                    "Gives a client a new secret tag; the old one, and tokens of before, are worth nothing from now on.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The client.")],
                responses: [client, .notFound],
                handler: { context in
                    let (client, identifier) = try await ClientRegister(accounts).renewTag(
                        try context.path("id"),
                        at: context.now
                    )
                    authenticator.forget(client.id)
                    return try .json(ClientRecord(client, identifier: identifier))
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/admin/clients/{id}/users",
                id: "users",
                summary: "The users of a client.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The client.")] + Schemas.page(limit: 1_000, default: 100),
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The users.",
                        type: "application/json",
                        schema: Schemas.list("UserRecord")
                    ),
                    .notFound,
                ],
                handler: { try await users($0) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/admin/clients/{id}/users/{user}",
                id: "removeUser",
                summary:
                    "Forgets a user of a client, and the user's history. What the user's author has published stays.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The client."), .id("The user.", name: "user")],
                responses: [Endpoint.Response(status: 204, summary: "Forgotten."), .notFound],
                handler: { context in
                    let (client, id) = (try context.path("id"), try context.path("user"))
                    guard let user = try await accounts.user(id), user.client == client else {
                        throw EarshotError.missing("user", id)
                    }
                    try await pieces.setAuthor(nil, ofUser: id)
                    try await accounts.removeUser(id)
                    return .empty
                }
            ),
            usage,
            Endpoint(
                method: .post,
                path: "/v1/admin/keys",
                id: "rotateKeys",
                summary: """
                    Makes a new key to sign with, and forgets the others: tokens, addresses of content and open log-in pages of before \
                    are worth nothing from now on. Clients ask for new tokens by themselves.
                    """,
                tag: "Operator",
                access: .admin,
                parameters: [
                    .flag("keep", "what older keys have signed holds until it expires.")
                ],
                responses: [Endpoint.Response(status: 204, summary: "Made.")],
                handler: { context in
                    try await keyring.renew(revoking: try !context.flag("keep"), at: context.now)
                    return .empty
                }
            ),
        ]
    }

    private func users(_ context: RequestContext) async throws -> Response {
        let client = try await ClientRegister(accounts).client(try context.path("id"))
        let now = context.now
        var records: [UserRecord] = []
        let users = try await accounts.users(
            of: client.id,
            offset: try context.number("offset", 0...10_000_000, default: 0),
            limit: try context.number("limit", 1...1_000, default: 100)
        )
        for user in users {
            let quota = UserRecord.Quota(
                limit: client.userQuota,
                used: try await quota.used(QuotaMeter.subject(user: user.id), at: now),
                resets: QuotaMeter.midnight(after: now)
            )
            var record = UserRecord(id: user.id, serialised: nil, created: user.created, quota: quota)
            record.author = try await pieces.author(ofUser: user.id)?.name.text
            records.append(record)
        }
        return try .json(records)
    }

    // MARK: - Usage

    /// The number of recognitions of clients on the last days.
    private struct Usage: Encodable {
        struct Client: Encodable {
            let id: String
            /// The name; `nil` for a client that was removed.
            let name: String?
            /// The recognitions of each day.
            let counts: [Int]
        }

        /// The days by UTC, as `2026-01-31`, the oldest first.
        let days: [String]
        let clients: [Client]
    }

    private var usage: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/admin/usage",
            id: "usage",
            summary: "The recognitions of each client on the last days, by UTC. Days are kept for a month.",
            tag: "Operator",
            access: .admin,
            parameters: [
                Endpoint.Parameter(
                    name: "days",
                    schema: [
                        "type": "integer", "minimum": 1, "maximum": .integer(QuotaMeter.keptDays),
                        "default": .integer(QuotaMeter.keptDays),
                    ],
                    summary: "The number of days, with today."
                )
            ],
            responses: [
                Endpoint.Response(
                    status: 200,
                    summary: "The recognitions.",
                    type: "application/json",
                    schema: Schemas.reference("UsageReport")
                )
            ],
            handler: { context in
                let count = try context.number("days", 1...QuotaMeter.keptDays, default: QuotaMeter.keptDays)
                // Writes the uses of the last seconds, so that they are counted too.
                try await quota.flush()
                let days = (0..<count).reversed().map {
                    QuotaMeter.day(context.now.addingTimeInterval(-86_400 * Double($0)))
                }
                let prefix = QuotaMeter.subject(client: "")
                let uses = try await accounts.usage(beginning: prefix, since: days[0])
                var counts: [String: [Int]] = [:]
                for use in uses {
                    guard let day = days.firstIndex(of: use.day) else { continue }
                    let id = String(use.subject.dropFirst(prefix.count))
                    counts[id, default: Array(repeating: 0, count: count)][day] += use.count
                }
                let clients = try await accounts.clients()
                let names = Dictionary(clients.map { ($0.id, $0.name) }) { first, _ in first }
                let all = Set(counts.keys).union(names.keys).sorted()
                return try .json(
                    Usage(
                        days: days,
                        clients: all.map { id in
                            Usage.Client(
                                id: id,
                                name: names[id],
                                counts: counts[id] ?? Array(repeating: 0, count: count)
                            )
                        }
                    )
                )
            }
        )
    }
}
