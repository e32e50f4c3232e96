import EarshotCore
import EarshotRecognition
import Foundation

/// The sessions of browsers in which people have signed in, and sign-in links, in the account store.
struct WebSessions: Sendable {
    private static let prefix = "session/"
    private static let linkPrefix = "link/"
    /// The validity of a link to sign in with, in seconds.
    static let linkLifetime = 900.0
    /// The least time between two writes of the last use of a session, in seconds.
    private static let noteInterval = 300.0
    /// The most sessions of one person. One more ends the session that was not used for longest.
    private static let limit = 50

    let accounts: any AccountStore

    /// A new session, with the cookie for its browser.
    struct Begun: Sendable {
        let session: WebSession
        /// The value of the cookie.
        let cookie: String
    }

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - user: The user; `nil` for none.
    ///   - isOperator: `true` if the operator has signed in.
    ///   - agent: The browser's own name for itself.
    ///   - address: The address that the request comes from.
    ///   - now: The time.
    func begin(
        _ user: String?,
        isOperator: Bool,
        agent: String?,
        address: String?,
        at now: Date
    ) async throws(EarshotError) -> Begun {
        let secret = Secrets.text(32)
        let session = WebSession(
            id: Secrets.name(),
            secretDigest: Secrets.digest(secret),
            user: user,
            operatorToken: isOperator ? try await accounts.value(Authenticator.adminName) ?? Data() : nil,
            began: now,
            used: now,
            agent: String((agent ?? "").unicodeScalars.prefix(200).map(Character.init)),
            address: address
        )
        let others = try await all(at: now).filter { $0.user == user && $0.isOperator == isOperator }
        for old in others.dropFirst(Self.limit - 1) { try await end(old.id) }
        try await put(session)
        return Begun(session: session, cookie: "\(session.id).\(secret)")
    }

    /// Returns the session of a cookie; `nil` if there is none, or it has expired or ended.
    func session(of cookie: String, at now: Date) async throws(EarshotError) -> WebSession? {
        let parts = cookie.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let data = try await accounts.value(Self.prefix + parts[0]),
            var session = Self.decoded(data), session.holds(at: now),
            Secrets.matches(String(parts[1]), session.secretDigest)
        else { return nil }
        if let token = session.operatorToken, try await accounts.value(Authenticator.adminName) != token { return nil }
        if now.timeIntervalSince(session.used) > Self.noteInterval {
            session.used = now
            // `nil` if the session was ended meanwhile: it must not come back. If another request wrote the use before, its value stays.
            let name = Self.prefix + session.id
            guard try await accounts.replaceValue(data, with: try Self.encoded(session), for: name) != nil else {
                return nil
            }
        }
        return session
    }

    /// Returns all valid sessions, the last used one first.
    func all(at now: Date) async throws(EarshotError) -> [WebSession] {
        var found: [WebSession] = []
        for name in try await accounts.valueNames(beginning: Self.prefix) {
            if let session = try await session(String(name.dropFirst(Self.prefix.count))), session.holds(at: now) {
                found.append(session)
            }
        }
        return found.sorted { ($0.used, $0.id) > ($1.used, $1.id) }
    }

    /// Ends a session.
    func end(_ id: String) async throws(EarshotError) { try await accounts.setValue(nil, for: Self.prefix + id) }

    /// Removes expired sessions and links.
    func clean(at now: Date) async throws(EarshotError) {
        for name in try await accounts.valueNames(beginning: Self.prefix) {
            let session = try await session(String(name.dropFirst(Self.prefix.count)))
            if session?.holds(at: now) != true { try await accounts.setValue(nil, for: name) }
        }
        for name in try await accounts.valueNames(beginning: Self.linkPrefix) {
            let expiry = try await accounts.value(name).flatMap(Self.expiry)
            if expiry.map({ $0 <= now }) ?? true { try await accounts.setValue(nil, for: name) }
        }
    }

    private func session(_ id: String) async throws(EarshotError) -> WebSession? {
        try await accounts.value(Self.prefix + id).flatMap(Self.decoded)
    }

    private static func decoded(_ data: Data) -> WebSession? {
        try? JSONDecoder().decode(WebSession.self, from: data)
    }

    private func put(_ session: WebSession) async throws(EarshotError) {
        try await accounts.setValue(try Self.encoded(session), for: Self.prefix + session.id)
    }

    private static func encoded(_ session: WebSession) throws(EarshotError) -> Data {
        do {
            return try JSONEncoder().encode(session)
        } catch {
            throw EarshotError(.internalError, "A session could not be encoded.", cause: error)
        }
    }

    // MARK: - Links

    /// Creates a link that signs the operator in once.
    ///
    /// - Returns: The secret in its address.
    func makeLink(at now: Date) async throws(EarshotError) -> String {
        let secret = Secrets.text(32)
        let expiry = "\(now.timeIntervalSince1970 + Self.linkLifetime)"
        try await accounts.setValue(Data(expiry.utf8), for: Self.linkName(secret))
        return secret
    }

    /// Ends a link.
    ///
    /// - Returns: `true` if the link was valid until now.
    func useLink(_ secret: String, at now: Date) async throws(EarshotError) -> Bool {
        guard let expiry = try await accounts.takeValue(Self.linkName(secret)).flatMap(Self.expiry) else {
            return false
        }
        return now < expiry
    }

    private static func linkName(_ secret: String) -> String {
        linkPrefix + Secrets.digest(secret).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func expiry(_ data: Data) -> Date? {
        Double(String(decoding: data, as: UTF8.self)).map { Date(timeIntervalSince1970: $0) }
    }
}
