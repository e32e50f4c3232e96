import EarshotAPI
import EarshotCore
import EarshotMetadata
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
                summary: "What was recognised for the user, the latest first.",
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
        let identifier: ClientIdentifier
        do throws(EarshotError) {
            identifier = try ClientIdentifier(request.client)
        } catch {
            throw EarshotError(.requestInvalid, error.message)
        }
        let client = try await call.core.client(presenting: identifier)
        var userID: String?
        if let serialised = request.user {
            let parts = serialised.split(separator: ".", maxSplits: 1)
            let user = parts.count == 2 ? try await call.core.accounts.user(String(parts[0])) : nil
            let isRight = Secrets.matches(
                parts.count == 2 ? String(parts[1]) : "",
                user?.secretDigest ?? Data(count: 32)
            )
            guard let user, isRight, user.client == client.id else {
                throw EarshotError(
                    .tokenRejected,
                    "The user is not registered with this client: register again with POST /v1/users."
                )
            }
            userID = user.id
        }
        let token = try await call.core.tokens.token(client: client.id, user: userID, at: call.core.now())
        return try .json(
            TokenAnswer(
                token: token,
                expiresIn: Int(call.core.settings.tokenLifetime.seconds),
                client: client.id,
                entitlements: client.entitlements.sorted { $0.rawValue < $1.rawValue }
            )
        )
    }

    private static func register(_ call: Call) async throws -> Response {
        guard let client = call.identity.client else {
            throw EarshotError(.accessDenied, "The operator has no users: ask with the token of a client.")
        }
        let secret = Secrets.text(32)
        let user = ServiceUser(
            id: Secrets.text(16, from: Array("abcdefghijklmnopqrstuvwxyz234567")),
            client: client.id,
            secretDigest: Secrets.digest(secret),
            created: call.core.now()
        )
        try await call.core.accounts.put(user)
        return try .json(try await record(user, "\(user.id).\(secret)", call), .created)
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
