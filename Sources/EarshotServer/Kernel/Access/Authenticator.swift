import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Determines the sender of a request from its token or session cookie.
final class Authenticator: Sendable {
    static let adminTokenPrefix = "earshot-admin-"
    /// The name of the operator's token in the account store.
    static let adminName = "admin"
    private let accounts: any AccountStore
    private let tokens: TokenIssuer
    /// The browsers in which people have signed in; `nil` for a service without pages.
    let browsers: BrowserAccess?
    let now: @Sendable () -> Date
    /// The clients, read again after 2 s, because another node or the operator's command may change them.
    private let clients = RememberedRecords<ServiceClient>(freshness: 2)
    /// The users, read at each request, so that ending a login takes effect at once. Remembered for an outage of the store only.
    private let users = RememberedRecords<ServiceUser>(freshness: 0)

    init(
        _ accounts: any AccountStore,
        tokens: TokenIssuer,
        browsers: BrowserAccess?,
        now: @escaping @Sendable () -> Date
    ) {
        self.accounts = accounts
        self.tokens = tokens
        self.browsers = browsers
        self.now = now
    }

    /// Returns the sender of a request, from its token or its browser session.
    ///
    /// - Throws: `tokenRejected`, `clientIdentifierRejected`, `accessDenied` for a request that no current page sends.
    func identity(of request: Request) async throws(EarshotError) -> Identity {
        guard let authorization = request.headers[.authorization] else { return try await identity(ofBrowser: request) }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw Self.tokenMissing }
        return try await identity(bearing: String(parts[1]))
    }

    /// Returns the identity that a token represents.
    ///
    /// - Throws: `tokenRejected`, `clientIdentifierRejected`.
    func identity(bearing token: String) async throws(EarshotError) -> Identity {
        if token.hasPrefix(Self.adminTokenPrefix) {
            guard let digest = try await accounts.value(Self.adminName), Secrets.matches(token, digest) else {
                throw EarshotError(
                    .tokenRejected,
                    "The token is not the operator's: make a new one with `earshot admin token`."
                )
            }
            return .admin(user: nil)
        }
        let bearer = try await tokens.bearer(of: token, at: now())
        return try await identity(bearer.client, user: bearer.user, issued: bearer.issued)
    }

    /// Checks again that the sender of a long request is still admitted. A token that has expired since the request began is accepted.
    ///
    /// - Parameters:
    ///   - identity: The sender at the beginning of the request.
    ///   - request: The request.
    ///   - began: The time at which the request began.
    /// - Returns: The sender, with its present rights.
    /// - Throws: `tokenRejected`, `clientIdentifierRejected`.
    func confirmed(
        _ identity: Identity,
        of request: Request,
        since began: Date
    ) async throws(EarshotError) -> Identity {
        switch identity {
        case .nobody: .nobody
        case .admin: try await self.identity(of: request)
        case .client(_, .some) where request.headers[.authorization] == nil:
            // Without a token the request came from a browser, whose session may have been ended.
            try await self.identity(of: request)
        case .client(let client, let user): try await self.identity(client.id, user: user?.id, issued: began)
        }
    }

    /// Returns the identity of a client, and of a user of it, for a token.
    ///
    /// - Parameters:
    ///   - client: The identifier of the client.
    ///   - user: The identifier of the user; `nil` for the client itself.
    ///   - issued: The time at which the token was issued.
    /// - Throws: `clientIdentifierRejected`; `tokenRejected` if the user is gone or logged out, or the token was revoked.
    func identity(
        _ client: String,
        user: String?,
        issued: Date
    ) async throws(EarshotError) -> Identity {
        guard let client = try await self.client(client), client.isEnabled else { throw Self.rejected }
        try Self.check(issued, against: client.tokensEnded)
        guard let user else { return .client(client, user: nil) }
        let record = try await users.record(user, at: now()) { () async throws(EarshotError) in
            try await accounts.user(user)
        }
        guard let user = record else {
            throw EarshotError(
                .tokenRejected,
                "The user of this token is no longer registered: register again with POST /v1/users."
            )
        }
        guard user.loggedOut == nil else { throw Self.loggedOut }
        try Self.check(issued, against: user.tokensEnded)
        return .client(client, user: user)
    }

    /// Returns the client with an identifier.
    ///
    /// - Throws: `clientIdentifierRejected`.
    func client(presenting identifier: ClientIdentifier) async throws(EarshotError) -> ServiceClient {
        let client = try await accounts.client(identifier.id)
        // The tag is compared for a missing client too, so that the duration does not reveal which clients exist.
        let isRight = Secrets.matches(identifier.tag, client?.tagDigest ?? Data(count: 32))
        guard let client, isRight, client.isEnabled else { throw Self.rejected }
        return client
    }

    static var tokenMissing: EarshotError {
        EarshotError(
            .tokenRejected,
            "The request carries no token: send Authorization: Bearer TOKEN, with a token of POST /v1/tokens."
        )
    }

    static var rejected: EarshotError {
        EarshotError(
            .clientIdentifierRejected,
            "The client identifier is unknown or was revoked: ask the operator for another."
        )
    }

    static var loggedOut: EarshotError {
        EarshotError(.tokenRejected, "The login of this user was ended: log in again.")
    }

    /// Refuses a token that was issued before all tokens were revoked.
    private static func check(_ issued: Date, against ended: Date?) throws(EarshotError) {
        guard let ended, issued < ended else { return }
        throw EarshotError(.tokenRejected, "The token was revoked: ask for a new one with POST /v1/tokens.")
    }

    private func client(_ id: String) async throws(EarshotError) -> ServiceClient? {
        try await clients.record(id, at: now()) { () async throws(EarshotError) in try await accounts.client(id) }
    }

    /// Removes a changed client from the cache.
    func forget(_ client: String) { clients.forget(client) }
}
