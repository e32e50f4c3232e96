import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import Hummingbird

extension Endpoints {
    // MARK: - Tokens and users

    static var accounts: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/tokens",
                id: "token",
                summary: "Gives a token for a client identifier, and for a user of the client where one is named.",
                tag: "Accounts",
                access: .open,
                body: ["application/json": Schemas.reference("TokenRequest")],
                answers: [
                    Endpoint.Answer(
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
                answers: [
                    Endpoint.Answer(
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
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The user.",
                        type: "application/json",
                        schema: Schemas.reference("UserRecord")
                    )
                ],
                handler: { call in
                    guard let id = call.identity.user, let user = try await call.core.accounts.user(id) else {
                        throw missing("user", "me")
                    }
                    return try .json(try await record(user, nil, call))
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/users/me",
                id: "unregister",
                summary: "Forgets the user of the token, and the user's history.",
                tag: "Accounts",
                access: .user,
                answers: [Endpoint.Answer(status: 204, summary: "Forgotten.")],
                handler: { call in
                    if let id = call.identity.user { try await call.core.accounts.removeUser(id) }
                    return .empty
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/history",
                id: "history",
                summary: "What was recognized for the user, the latest first.",
                tag: "Accounts",
                access: .user,
                parameters: Schemas.page(limit: 100, default: 20),
                answers: [
                    Endpoint.Answer(
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
                answers: [Endpoint.Answer(status: 204, summary: "Forgotten.")],
                handler: { call in
                    if let id = call.identity.user { try await call.core.accounts.removeHistory(of: id, entry: nil) }
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
                answers: [Endpoint.Answer(status: 204, summary: "Forgotten."), .notFound],
                handler: { call in
                    guard let entry = Int(try call.path("entry")), entry > 0 else {
                        throw EarshotError(.requestInvalid, "An entry has a number from 1.")
                    }
                    if let id = call.identity.user { try await call.core.accounts.removeHistory(of: id, entry: entry) }
                    return .empty
                }
            ),
        ]
    }

    private static func giveToken(_ call: Call) async throws -> Response {
        let request = try await call.document(TokenRequest.self, limit: 8 << 10)
        let (client, user) = try await whoAsks(request, call.core)
        let token = try await call.core.tokens.token(client: client.id, user: user?.id, at: call.core.now())
        return try .json(
            TokenAnswer(
                token: token,
                expiresIn: Int(call.core.settings.tokenLifetime.seconds),
                client: client.id,
                entitlements: client.entitlements.sorted { $0.rawValue < $1.rawValue }
            )
        )
    }

    /// The client and the user that a token is asked for. A user's own secret is enough where the client's is not shown.
    private static func whoAsks(
        _ request: TokenRequest,
        _ core: ServiceCore
    ) async throws(EarshotError) -> (ServiceClient, ServiceUser?) {
        guard let serialised = request.user else {
            return (try await core.client(presenting: try identifier(request.client)), nil)
        }
        let parts = serialised.split(separator: ".", maxSplits: 1)
        let user = parts.count == 2 ? try await core.accounts.user(String(parts[0])) : nil
        let isRight = Secrets.matches(
            parts.count == 2 ? String(parts[1]) : "",
            user?.secretDigest ?? Data(count: 32)
        )
        let hasTag = request.client.contains("-")
        let client =
            hasTag
            ? try await core.client(presenting: try identifier(request.client))
            : try await core.accounts.client(request.client)
        guard let user, isRight, let client, user.client == client.id else {
            throw EarshotError(
                .tokenRejected,
                "The user is not registered with this client: register again with POST /v1/users."
            )
        }
        guard client.isEnabled else { throw ServiceCore.rejected }
        return (client, user)
    }

    static func identifier(_ text: String) throws(EarshotError) -> ClientIdentifier {
        do throws(EarshotError) {
            return try ClientIdentifier(text)
        } catch {
            throw EarshotError(.requestInvalid, error.message)
        }
    }

    private static func register(_ call: Call) async throws -> Response {
        guard let client = call.identity.client else {
            throw EarshotError(.accessDenied, "The operator has no users: ask with the token of a client.")
        }
        return try await registering(call) { () async throws(EarshotError) in
            let (user, serialised, _) = try await newUser(of: client, call.core)
            return try .json(try await record(user, serialised, call), .created)
        }
    }

    /// Answers a registration. One too many is a conflict that does not pass, unlike recognitions too many on one day.
    static func registering(
        _ call: Call,
        _ work: () async throws(EarshotError) -> Response
    ) async throws(EarshotError) -> Response {
        do {
            return try await work()
        } catch {
            guard error.code == .quotaExceeded else { throw error }
            var response = Response.failure(error, requestID: call.context.requestID, now: call.core.now())
            response.status = .conflict
            response.headers[.retryAfter] = nil
            return response
        }
    }

    /// Keeps a new user of a client.
    ///
    /// - Returns: The user, what an app keeps of it, and how many the client has now.
    /// - Throws: `quotaExceeded` when the client has as many as it may.
    static func newUser(
        of client: ServiceClient,
        modules: Set<Registration.Module>? = nil,
        appVersion: String? = nil,
        _ core: ServiceCore
    ) async throws(EarshotError) -> (ServiceUser, serialised: String, count: Int) {
        let secret = Secrets.text(32)
        let user = ServiceUser(
            id: Secrets.text(16, from: Array("abcdefghijklmnopqrstuvwxyz234567")),
            client: client.id,
            secretDigest: Secrets.digest(secret),
            created: core.now(),
            modules: modules,
            appVersion: appVersion
        )
        guard let count = try await core.accounts.register(user, limit: client.userLimit) else {
            throw EarshotError(
                .quotaExceeded,
                "Client \(client.id) has registered as many users as it may: store registrations, or ask the operator for more."
            )
        }
        return (user, "\(user.id).\(secret)", count)
    }

    private static func record(_ user: ServiceUser, _ serialised: String?, _ call: Call) async throws(EarshotError)
        -> UserRecord
    {
        let now = call.core.now()
        return UserRecord(
            id: user.id,
            serialised: serialised,
            created: user.created,
            quota: UserRecord.Quota(
                limit: call.identity.client?.userQuota,
                used: try await call.core.quota.used(QuotaMeter.subject(user: user.id), at: now),
                resets: QuotaMeter.midnight(after: now)
            )
        )
    }

    private static func history(_ call: Call) async throws -> Response {
        let offset = try call.number("offset", 0...1_000_000, default: 0)
        let limit = try call.number("limit", 1...100, default: 20)
        guard let user = call.identity.user else { throw missing("user", "me") }
        let entries = try await call.core.accounts.history(of: user, offset: offset, limit: limit)
        return try .json(
            HistoryPage(
                entries: entries,
                offset: offset,
                total: try await call.core.accounts.historyCount(of: user)
            )
        )
    }
}

extension Call {
    /// The JSON that came with the request.
    ///
    /// - Throws: `mediaTypeUnsupported`, `uploadTooLarge`, `requestInvalid` with the place of the fault.
    func document<Value: Decodable & Sendable>(_ type: Value.Type, limit: Int? = nil) async throws -> Value {
        let essence = (request.headers[.contentType] ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            .lowercased()
        guard essence == "application/json" else {
            throw EarshotError(.mediaTypeUnsupported, "The body is to be JSON, with Content-Type: application/json.")
        }
        let limit = limit ?? core.settings.documentLimit
        let body = request.body
        let data = try await withTimeLimit(core.settings.uploadTime, "The upload") {
            var data = Data()
            for try await part in body {
                data.append(contentsOf: part.readableBytesView)
                guard data.count <= limit else {
                    throw EarshotError(.uploadTooLarge, "The body has more than \(limit >> 10) KiB.")
                }
            }
            return data
        }
        do {
            return try ServiceAPI.decoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw EarshotError(.requestInvalid, "The body cannot be understood: \(Self.explanation(error)).")
        }
    }

    private static func explanation(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "" : " at \(path)"
        }
        return switch error {
        case .keyNotFound(let key, let context): "\(key.stringValue) is missing\(path(context))"
        case .typeMismatch(_, let context): "a value has the wrong type\(path(context))"
        case .valueNotFound(_, let context): "a value is null\(path(context))"
        case .dataCorrupted(let context): "it is no such JSON\(path(context))"
        @unknown default: "it is no such JSON"
        }
    }
}
