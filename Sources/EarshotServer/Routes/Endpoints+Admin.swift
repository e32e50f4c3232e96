import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Hummingbird

extension Endpoints {
    // MARK: - Operator

    static var admin: [Endpoint] {
        let client = Endpoint.Answer(
            status: 200,
            summary: "The client.",
            type: "application/json",
            schema: Schemas.reference("ClientRecord")
        )
        let refusals: [Endpoint.Answer] = [
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
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The clients.",
                        type: "application/json",
                        schema: Schemas.list("ClientRecord")
                    )
                ],
                handler: { call in try .json(try await call.core.accounts.clients().map { ClientRecord($0) }) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/admin/clients",
                id: "makeClient",
                summary: "Makes a client. Its identifier is told this once.",
                tag: "Operator",
                access: .admin,
                body: ["application/json": Schemas.reference("ClientChange")],
                answers: [
                    Endpoint.Answer(
                        status: 201,
                        summary: "The client.",
                        type: "application/json",
                        schema: Schemas.reference("ClientRecord")
                    )
                ] + refusals,
                handler: { call in
                    let change = try await call.document(ClientChange.self)
                    let (client, identifier) = try await ClientRegister(call.core.accounts).make(
                        change,
                        at: call.core.now()
                    )
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
                answers: [client, .notFound],
                handler: { call in
                    try .json(ClientRecord(try await ClientRegister(call.core.accounts).client(try call.path("id"))))
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
                answers: [client, .notFound] + refusals,
                handler: { call in
                    let change = try await call.document(ClientChange.self)
                    let changed = try await ClientRegister(call.core.accounts).change(try call.path("id"), change)
                    call.core.forget(changed.id)
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
                answers: [Endpoint.Answer(status: 204, summary: "Forgotten."), .notFound],
                handler: { call in
                    let id = try call.path("id")
                    guard try await call.core.accounts.removeClient(id) else { throw missing("client", id) }
                    call.core.forget(id)
                    return .empty
                }
            ),
            Endpoint(
                method: .post,
                path: "/v1/admin/clients/{id}/tag",
                id: "renewTag",
                summary: "Gives a client a new secret tag; the old one is worth nothing from now on.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The client.")],
                answers: [client, .notFound],
                handler: { call in
                    let (client, identifier) = try await ClientRegister(call.core.accounts).renewTag(
                        try call.path("id")
                    )
                    call.core.forget(client.id)
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
                answers: [
                    Endpoint.Answer(
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
                summary: "Makes a new key to sign tokens with. Tokens of the old one hold until they expire.",
                tag: "Operator",
                access: .admin,
                answers: [Endpoint.Answer(status: 204, summary: "Made.")],
                handler: { call in
                    try await call.core.tokens.rotate(at: call.core.now(), isForced: true)
                    return .empty
                }
            ),
        ]
    }

    private static func users(_ call: Call) async throws -> Response {
        let client = try await ClientRegister(call.core.accounts).client(try call.path("id"))
        let now = call.core.now()
        var records: [UserRecord] = []
        let users = try await call.core.accounts.users(
            of: client.id,
            offset: try call.number("offset", 0...10_000_000, default: 0),
            limit: try call.number("limit", 1...1_000, default: 100)
        )
        for user in users {
            let quota = UserRecord.Quota(
                limit: client.userQuota,
                used: try await call.core.quota.used(QuotaMeter.subject(user: user.id), at: now),
                resets: QuotaMeter.midnight(after: now)
            )
            records.append(UserRecord(id: user.id, serialised: nil, created: user.created, quota: quota))
        }
        return try .json(records)
    }
}
