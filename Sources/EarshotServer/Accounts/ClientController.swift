import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Hummingbird

/// Manages clients, their users, and the signing keys, for the operator.
struct ClientController: Controller {
    let accounts: any AccountStore
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
            records.append(UserRecord(id: user.id, serialised: nil, created: user.created, quota: quota))
        }
        return try .json(records)
    }
}
