import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Tells by the cookie of a browser who is at it, and whether a request is one of the service's own pages'.
///
/// The cookie comes with whatever a browser sends, also for pages of others. A page of the service therefore sends a mark of its own along,
/// which others can neither read nor send, and without which nothing is changed.
struct BrowserAccess: Sendable {
    /// The header by which pages send their mark.
    static let markHeader = HTTPField.Name("X-Earshot-Page") ?? .from

    let accounts: any AccountStore
    let sessions: WebSessions
    let keyring: Keyring
    /// The client of all pages.
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

    /// The name of the cookie. Over TLS browsers take it from this very host only.
    var cookieName: String { isSecure ? "__Host-earshot" : "earshot" }

    /// The value of the cookie that a request brings.
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

    /// The header that gives a browser its cookie, or takes it away.
    func settingCookie(_ value: String?) -> String {
        let age = value == nil ? 0 : 365 * 86_400
        return "\(cookieName)=\(value ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    /// The session of the browser that sends a request; `nil` if nobody has signed in there.
    ///
    /// - Throws: `accessDenied` for a name that is not the service's own.
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

    /// The mark of the pages of a browser.
    ///
    /// - Parameters:
    ///   - session: The session in it; `nil` if nobody has signed in.
    ///   - now: The time.
    func mark(_ session: WebSession?, at now: Date) -> String {
        keyring.signing(at: now).forms.code(for: Self.marked(session)).base64URL
    }

    /// Returns `true` if a mark is that of the pages of a browser.
    func isMark(_ mark: String?, of session: WebSession?) -> Bool {
        guard let code = mark.flatMap({ Data(base64URL: $0) }) else { return false }
        return keyring.accepted.contains { $0.forms.isValid(code, for: Self.marked(session)) }
    }

    private static func marked(_ session: WebSession?) -> String { "page\n" + (session?.id ?? "") }

    /// Returns `true` if a request comes by a name of the service's own.
    ///
    /// On a loopback address a page of others could otherwise make the browser take this service for its own, by naming it anew.
    private func isOwnName(_ authority: String?) -> Bool {
        guard settings.publicURL == nil, settings.isLocal else { return true }
        guard let authority, let host = URLComponents(string: "http://\(authority)")?.host else { return false }
        return ServiceSettings.isLocal(host)
    }
}

extension RequestContext {
    /// Refuses what is for programs alone: people sign in at the page for that, and nobody begins a log-in in the name of the pages.
    ///
    /// - Throws: `accessDenied` for a request of a page.
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
    /// The sender of a request without a token: a page of the service, for the person who has signed in in its browser or for anybody.
    ///
    /// - Throws: `tokenRejected` where there are no pages or they serve nobody who has not signed in, `accessDenied` for a page that was
    ///   loaded before somebody signed in or out.
    func identity(ofBrowser request: Request) async throws(EarshotError) -> Identity {
        guard let browsers else { throw Self.tokenMissing }
        // A session that does not hold any longer is none: its browser is that of a visitor, as its pages have it.
        let (identity, session) = try await person(at: request)
        let mark = request.headers[BrowserAccess.markHeader]
        if mark == nil {
            // Reading alone is safe by the cookie: whoever made the browser ask cannot read the answer.
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

    /// Somebody who has not signed in, as the client of the pages without its rights; `nil` where the service does not answer them.
    func visitor() async throws(EarshotError) -> Identity? {
        guard let browsers, browsers.admitsVisitors else { return nil }
        let identity = try await identity(browsers.client, user: nil, issued: .distantFuture)
        guard case .client(var client, let user) = identity else { return identity }
        client.rights = []
        return .client(client, user: user)
    }

    /// Returns the owner of the work for a sender. Senders who have not signed in are told apart by their origin.
    func workOwner(_ identity: Identity, from origin: RequestOrigin) -> WorkOwner {
        var owner = identity.workOwner
        if owner.user == nil, owner.client == browsers?.client { owner.user = origin.name }
        return owner
    }

    /// The person at a browser that loads a page. A session that does not hold any longer is none.
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
