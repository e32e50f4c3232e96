import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Determines the session of a browser from its cookie, and distinguishes requests of the service's own pages from others.
///
/// A browser sends the cookie with each request, also with those that pages of other sites cause. Pages of the service therefore send a
/// mark in a header, which other sites can neither read nor send. Without the mark, nothing is changed.
struct BrowserAccess: Sendable {
    /// The header by which pages send their mark.
    static let markHeader = HTTPField.Name("X-Earshot-Page") ?? .from

    let accounts: any AccountStore
    let sessions: WebSessions
    let keyring: Keyring
    /// The identifier of the client in whose name all pages ask.
    let client: String
    private let settings: ServiceSettings

    /// `true` if users who are not signed in may recognize and search.
    var admitsVisitors: Bool { settings.pages == .open }
    /// `true` if browsers reach the service over TLS only.
    private var isSecure: Bool { settings.isSecure || settings.publicURL?.hasPrefix("https://") == true }

    init(_ accounts: any AccountStore, client: String, keyring: Keyring, settings: ServiceSettings) {
        self.accounts = accounts
        self.client = client
        self.keyring = keyring
        self.settings = settings
        sessions = WebSessions(accounts: accounts)
    }

    // MARK: - Cookie

    /// The name of the cookie. With the prefix `__Host-`, browsers accept it over TLS only, and from this host only.
    var cookieName: String { isSecure ? "__Host-earshot" : "earshot" }

    /// Returns the value of the cookie in a request; `nil` if there is none.
    func cookie(of request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == cookieName else { continue }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }

    /// Returns the value of the header that sets the cookie, or removes it for `nil`.
    func settingCookie(_ value: String?) -> String {
        let age = value == nil ? 0 : 365 * 86_400
        return "\(cookieName)=\(value ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    /// Returns the session of the browser that sends a request; `nil` if nobody has signed in there.
    ///
    /// - Throws: `accessDenied` if a local service is addressed by a name other than localhost.
    func session(of request: Request, at now: Date) async throws(EarshotError) -> WebSession? {
        guard isOwnName(request.head.authority) else {
            throw EarshotError(
                .accessDenied,
                "This service answers under the name localhost only: open it as http://localhost, or set publicURL to its name."
            )
        }
        guard let cookie = cookie(of: request) else { return nil }
        return try await sessions.session(of: cookie, at: now)
    }

    /// Ends the sessions of a user.
    ///
    /// - Parameters:
    ///   - user: The id of the user.
    ///   - kept: The session that goes on; `nil` to end all.
    ///   - now: The time.
    /// - Returns: The number of sessions that were ended.
    @discardableResult
    func endSessions(of user: String, except kept: WebSession?, at now: Date) async throws(EarshotError) -> Int {
        let ended = try await sessions.all(at: now).filter { $0.user == user && $0.id != kept?.id }
        for session in ended { try await sessions.end(session.id) }
        return ended.count
    }

    // MARK: - Marks

    /// Returns the mark that pages send from a browser.
    ///
    /// - Parameters:
    ///   - session: The session of the browser; `nil` if nobody has signed in.
    ///   - now: The time.
    func mark(_ session: WebSession?, at now: Date) -> String {
        keyring.signing(at: now).forms.code(for: Self.marked(session)).base64URL
    }

    /// Returns `true` if a mark is valid for the session of a browser.
    func isMark(_ mark: String?, of session: WebSession?) -> Bool {
        guard let code = mark.flatMap({ Data(base64URL: $0) }) else { return false }
        return keyring.accepted.contains { $0.forms.isValid(code, for: Self.marked(session)) }
    }

    private static func marked(_ session: WebSession?) -> String { "page\n" + (session?.id ?? "") }

    /// Returns `true` if the host name in a request is one of the service.
    ///
    /// Otherwise another site could let its own name resolve to a loopback address, and its pages would count as the service's
    /// (DNS rebinding).
    private func isOwnName(_ authority: String?) -> Bool {
        guard settings.publicURL == nil, settings.isLocal else { return true }
        guard let authority, let host = URLComponents(string: "http://\(authority)")?.host else { return false }
        return ServiceSettings.isLocal(host)
    }
}

extension RequestContext {
    /// Refuses a request of a page where only programs may ask: people sign in on the sign-in page instead.
    ///
    /// - Throws: `accessDenied` for a request with the mark of a page.
    func checkIsOfProgram() throws(EarshotError) {
        guard request.headers[BrowserAccess.markHeader] == nil else {
            throw EarshotError(
                .accessDenied,
                "A browser session cannot register users: sign in at /sign-in, or ask with the token of a client."
            )
        }
    }
}

extension Authenticator {
    /// Returns the sender of a request without a token: the person who is signed in in the browser, or a visitor.
    ///
    /// - Throws: `tokenRejected` if there are no pages, or nobody is signed in and visitors are not admitted; `accessDenied` for a page that
    ///   was loaded before somebody signed in or out.
    func identity(ofBrowser request: Request) async throws(EarshotError) -> Identity {
        guard let browsers else { throw Self.tokenMissing }
        // An expired session counts as none, as it did when the page was made: otherwise the page's mark would not fit.
        let (identity, session) = try await person(at: request)
        let mark = request.headers[BrowserAccess.markHeader]
        if mark == nil {
            // The cookie alone is enough to read: another site that makes the browser ask cannot read the answer.
            guard session != nil, [.get, .head].contains(request.method) else { throw Self.tokenMissing }
        } else if !browsers.isMark(mark, of: session) {
            throw EarshotError(
                .accessDenied,
                "This page was loaded before you signed in or out, or is too old: load it again."
            )
        }
        if session != nil { return identity }
        guard let visitor = try await visitor() else {
            throw EarshotError(.tokenRejected, "This service answers signed-in users only: sign in first.")
        }
        return visitor
    }

    /// Returns the identity of a visitor: the client of the pages, without its rights; `nil` if the service does not admit visitors.
    func visitor() async throws(EarshotError) -> Identity? {
        guard let browsers, browsers.admitsVisitors else { return nil }
        let identity = try await identity(browsers.client, user: nil, issued: .distantFuture)
        guard case .client(var client, let user) = identity else { return identity }
        client.rights = []
        return .client(client, user: user)
    }

    /// Returns the owner of the work for a sender. Visitors all have the client of the pages, so their origins stand for users.
    func workOwner(_ identity: Identity, from origin: RequestOrigin) -> WorkOwner {
        var owner = identity.workOwner
        if owner.user == nil, owner.client == browsers?.client { owner.user = origin.name }
        return owner
    }

    /// Returns the person who is signed in in a browser, with the session; `nobody` without a session, or if it has expired.
    func person(at request: Request) async throws(EarshotError) -> (identity: Identity, session: WebSession?) {
        guard let browsers, let session = try await browsers.session(of: request, at: now()) else {
            return (.nobody, nil)
        }
        do throws(EarshotError) {
            return (try await identity(of: session, browsers), session)
        } catch {
            guard [.tokenRejected, .clientIdentifierRejected].contains(error.code) else { throw error }
            return (.nobody, nil)
        }
    }

    private func identity(
        of session: WebSession,
        _ browsers: BrowserAccess
    ) async throws(EarshotError) -> Identity {
        guard session.isOperator else {
            return try await identity(browsers.client, user: session.user, issued: session.began)
        }
        guard let user = session.user else { return .admin(user: nil) }
        return .admin(user: try await browsers.accounts.user(user))
    }
}
