import EarshotAPI
import EarshotCore
import EarshotPieces
import EarshotRecognition
import Foundation
import Hummingbird

/// Issues tokens and registers users.
struct AccountController: Controller {
    let accounts: any AccountStore
    let pieces: any PieceStore
    let authenticator: Authenticator
    let tokens: TokenIssuer
    let users: UserRegistry
    let quota: QuotaMeter

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/tokens",
                id: "token",
                summary: "Gives a token for a client identifier, and for a user of the client where one is named.",
                tag: "Accounts",
                access: .open,
                body: ["application/json": Schemas.reference("TokenRequest")],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "A token.",
                        type: "application/json",
                        schema: Schemas.reference("TokenAnswer")
                    ),
                    .failure(401, "The client identifier or the user is not known."),
                    .failure(413, "The body is too large."),
                    .failure(415, "The body is not JSON."),
                ],
                handler: { try await giveToken($0) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/users",
                id: "register",
                summary:
                    "Registers a user of the client. The serialised form is told this once: keep it, and show it with requests for tokens.",
                tag: "Accounts",
                access: .client,
                responses: [
                    Endpoint.Response(
                        status: 201,
                        summary: "The user.",
                        type: "application/json",
                        schema: Schemas.reference("UserRecord")
                    ),
                    .failure(403, "The operator has no users."),
                    .failure(409, "The client has registered as many users as it may."),
                ],
                handler: { try await register($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/users/me",
                id: "me",
                summary: "The user of the token, with what is left of the day's quota.",
                tag: "Accounts",
                access: .user,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The user.",
                        type: "application/json",
                        schema: Schemas.reference("UserRecord")
                    )
                ],
                handler: { context in
                    guard let id = context.identity.user, let user = try await accounts.user(id) else {
                        throw EarshotError.missing("user", "me")
                    }
                    return try .json(try await record(user, nil, context))
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/users/me",
                id: "unregister",
                summary: "Forgets the user of the token, and the user's history.",
                tag: "Accounts",
                access: .user,
                isAudited: true,
                responses: [Endpoint.Response(status: 204, summary: "Forgotten.")],
                handler: { context in
                    guard let id = context.identity.user else { return .empty }
                    try await pieces.setAuthor(nil, ofUser: id)
                    try await accounts.removeUser(id)
                    try await authenticator.browsers?.endSessions(of: id, except: nil, at: context.now)
                    return .empty
                }
            ),
        ]
    }

    private func giveToken(_ context: RequestContext) async throws -> Response {
        let request = try await context.document(TokenRequest.self, limit: 8 << 10)
        // Taken before the secret is compared: if the secret is replaced meanwhile, the token counts as older, and so is revoked too.
        let now = context.now
        let (client, user) = try await whoAsks(request)
        let token = try await tokens.token(client: client.id, user: user?.id, at: now)
        return try .json(
            TokenAnswer(
                token: token,
                expiresIn: Int(context.settings.tokenLifetime.seconds),
                client: client.id,
                entitlements: client.entitlements.sorted { $0.rawValue < $1.rawValue }
            )
        )
    }

    /// Returns the client and the user for whom a token is requested. The secret of a user is enough, without that of its client.
    private func whoAsks(_ request: TokenRequest) async throws(EarshotError) -> (ServiceClient, ServiceUser?) {
        guard let serialised = request.user else {
            return (try await authenticator.client(presenting: try ClientIdentifier(parameter: request.client)), nil)
        }
        let parts = serialised.split(separator: ".", maxSplits: 1)
        let user = parts.count == 2 ? try await accounts.user(String(parts[0])) : nil
        let isRight = Secrets.matches(
            parts.count == 2 ? String(parts[1]) : "",
            user?.secretDigest ?? Data(count: 32)
        )
        let hasTag = request.client.contains("-")
        let client =
            hasTag
            ? try await authenticator.client(presenting: try ClientIdentifier(parameter: request.client))
            : try await accounts.client(request.client)
        guard let user, isRight, let client, user.client == client.id else {
            throw EarshotError(
                .tokenRejected,
                "The user is not registered with this client: register again with POST /v1/users."
            )
        }
        guard client.isEnabled else { throw Authenticator.rejected }
        guard user.loggedOut == nil else { throw Authenticator.loggedOut }
        return (client, user)
    }

    private func register(_ context: RequestContext) async throws -> Response {
        try context.checkIsOfProgram()
        guard let client = context.identity.client else {
            throw EarshotError(.accessDenied, "The operator has no users: ask with the token of a client.")
        }
        return try await users.registering(context) { () async throws(EarshotError) in
            let (user, serialised, _) = try await users.register(of: client)
            return try .json(try await record(user, serialised, context), .created)
        }
    }

    private func record(_ user: ServiceUser, _ serialised: String?, _ context: RequestContext)
        async throws(EarshotError)
        -> UserRecord
    {
        let now = context.now
        return UserRecord(
            id: user.id,
            serialised: serialised,
            created: user.created,
            quota: UserRecord.Quota(
                limit: context.identity.client?.userQuota,
                used: try await quota.used(QuotaMeter.subject(user: user.id), at: now),
                resets: QuotaMeter.midnight(after: now)
            )
        )
    }
}
