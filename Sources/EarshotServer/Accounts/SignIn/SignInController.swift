import EarshotAPI
import EarshotCore
import EarshotPieces
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Signs people in in browsers: users with name and password, the operator with the token or a link that is valid once.
struct SignInController: Controller {
    private static let clearSiteData = HTTPField.Name("Clear-Site-Data") ?? .from

    let browsers: BrowserAccess
    let accounts: any AccountStore
    let login: LoginService
    let logins: LoginRegister
    let pages: PageRenderer

    var endpoints: [Endpoint] {
        [
            .page("/sign-in", "signInPage") { try page($0) },
            .page("/sign-in", "signIn", method: .post, isAudited: true) { try await signIn($0) },
            .page("/sign-in/link", "signInByLink", isAudited: true) { try await follow($0) },
            .page("/sign-out", "signOut", method: .post) { try await signOut($0) },
            .page("/session", "session") { context in
                try .json(
                    SessionAnswer(
                        mark: browsers.mark(context.session, at: context.now),
                        isSignedIn: context.session != nil
                    )
                )
            },
        ]
    }

    /// The state of the browser's session, for a page that was open for long.
    private struct SessionAnswer: Encodable {
        let mark: String
        let isSignedIn: Bool
    }

    private func page(
        _ context: RequestContext,
        back: String? = nil,
        name: String = "",
        fault: String? = nil
    ) throws -> Response {
        let expiry = Int(context.now.timeIntervalSince1970 + LoginService.pageLifetime)
        let back = PageFrame.ownAddress(try back ?? context.text("back", upTo: 2_000))
        let texts = try pages.texts(for: context).texts["sign-in"] ?? [:]
        return try pages.response(
            SignInPage(
                title: texts["title"] ?? "",
                expires: "\(expiry)",
                seal: login.seal(["sign-in", back], until: expiry),
                back: back,
                name: name,
                fault: fault
            ),
            for: context,
            fault == nil ? .ok : .forbidden
        )
    }

    private func signIn(_ context: RequestContext) async throws -> Response {
        let form = try await context.form()
        let back = PageFrame.ownAddress(form["back"])
        let name = form["name"] ?? ""
        do throws(EarshotError) {
            try login.check(form["seal"], of: ["sign-in", back], until: form.integer("expires"))
            if form["action"] == "operator" {
                try await checkOperator(form["token"] ?? "", context)
                context.note("name", Identity.operatorName)
                return try await begun(try await operatorUser(at: context.now), isOperator: true, back, context)
            }
            let author = try await login.author(
                LoginService.Entry(
                    name: name,
                    password: form["password"] ?? "",
                    isNew: form["action"] == "create"
                ),
                from: RequestOrigin(context.address)
            )
            context.note("name", author.name.text)
            let user = try await logins.resume(author.id, of: browsers.client, at: context.now)
            return try await begun(user, isOperator: false, back, context)
        } catch {
            guard [.accessDenied, .requestInvalid, .tooManyRequests].contains(error.code) else { throw error }
            let words = PageWords(texts: try pages.texts(for: context).texts)
            var response = try page(context, back: back, name: name, fault: LoginFaults.text(error, name, words))
            if error.code == .tooManyRequests { response.status = .tooManyRequests }
            return response
        }
    }

    static let wrongToken = EarshotError(
        .accessDenied,
        "This is not the operator's token: make a new one with `earshot admin token`."
    )

    private func checkOperator(_ token: String, _ context: RequestContext) async throws(EarshotError) {
        let origin = RequestOrigin(context.address)
        let attempt = try await login.logins.begin(.code, origin)
        let digest = try await accounts.value(Authenticator.adminName)
        let text = token.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let digest, Secrets.matches(text, digest) else {
            throw Self.wrongToken
        }
        await login.logins.takeBack(attempt)
    }

    /// Signs the operator in, by a link that the service or `earshot admin link` has printed.
    private func follow(_ context: RequestContext) async throws -> Response {
        let key = try context.text("key", upTo: 100) ?? ""
        let back = PageFrame.ownAddress(try context.text("back", upTo: 2_000))
        // Browsers load a typed address before Enter is pressed, which uses the link up: a browser that is signed in is led on.
        if case .admin = context.identity { return .seeOther(back) }
        // Before the link is used up, so that a failure of the store leaves it valid.
        let user = try await operatorUser(at: context.now)
        guard try await browsers.sessions.useLink(key, at: context.now) else {
            let texts = try pages.texts(for: context).texts["sign-in"] ?? [:]
            return try pages.response(
                NoticePage(title: texts["linkUsed"] ?? "", text: texts["linkHelp"] ?? ""),
                for: context,
                .forbidden
            )
        }
        context.note("name", Identity.operatorName)
        return try await begun(user, isOperator: true, back, context)
    }

    private func begun(
        _ user: String,
        isOperator: Bool,
        _ back: String,
        _ context: RequestContext
    ) async throws(EarshotError) -> Response {
        if let old = context.session { try await browsers.sessions.end(old.id) }
        let begun = try await browsers.sessions.begin(
            user,
            isOperator: isOperator,
            agent: context.request.headers[.userAgent],
            address: context.address,
            at: context.now
        )
        var response = Response.seeOther(back)
        response.headers[.setCookie] = browsers.settingCookie(begun.cookie)
        return response
    }

    /// Returns the identifier of the user whose history the operator's browsers use, and registers that user if there is none.
    private func operatorUser(at now: Date) async throws(EarshotError) -> String {
        let name = "web-operator"
        let known = try await accounts.value(name)
        if let known, try await accounts.user(String(decoding: known, as: UTF8.self)) != nil {
            return String(decoding: known, as: UTF8.self)
        }
        guard let client = try await accounts.client(browsers.client) else { throw Authenticator.rejected }
        let user = try await logins.users.register(of: client).0
        let kept = try await accounts.replaceValue(known, with: Data(user.id.utf8), for: name)
        guard let kept, kept != Data(user.id.utf8) else { return user.id }
        // Another request has stored its user meanwhile: that one counts.
        try await accounts.removeUser(user.id)
        return String(decoding: kept, as: UTF8.self)
    }

    private func signOut(_ context: RequestContext) async throws -> Response {
        let form = try await context.form()
        guard browsers.isMark(form["mark"], of: context.session) else {
            throw EarshotError(.accessDenied, "The form does not belong to this session: load the page again.")
        }
        if let session = context.session { try await browsers.sessions.end(session.id) }
        var response = Response.seeOther("/")
        response.headers[.setCookie] = browsers.settingCookie(nil)
        // Pages store drafts, albums and answers in the browser, which the next person at a shared browser must not find.
        response.headers[Self.clearSiteData] = "\"storage\""
        return response
    }
}

/// The page on which people sign in.
struct SignInPage: Page {
    static let template = "sign-in"

    let title: String
    let expires: String
    let seal: String
    let back: String
    let name: String
    let fault: String?
}
