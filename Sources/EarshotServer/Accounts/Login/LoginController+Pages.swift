import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotPieces
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension LoginController {
    // MARK: - Pages

    func entry(_ form: FormParameters) -> LoginService.Entry {
        LoginService.Entry(
            name: form["name"] ?? "",
            password: form["password"] ?? "",
            isNew: form["action"] == "create"
        )
    }

    /// The request of an app for a login.
    struct LoginRequest {
        let application: PieceApplication
        /// The name that the app has given the login.
        let state: String
        /// The challenge of the verifier that the app must present with the code; `nil` for an app that presents none.
        let challenge: String?

        /// The content that the seal of the form covers, joined by line breaks. The state is last, because it may contain line breaks.
        var content: [String] { ["authorize", application.id, challenge ?? "", state] }
    }

    /// Reads a login request from the fields of an address or a form.
    ///
    /// - Throws: `requestInvalid` for missing or invalid fields; `entityNotFound` for an unknown app.
    func loginRequest(_ context: RequestContext, _ field: (String) -> String?) async throws -> LoginRequest {
        guard let id = field("application")?.lowercased(), let state = field("state"),
            (1...512).contains(id.utf8.count), (1...512).contains(state.utf8.count)
        else {
            throw EarshotError(
                .requestInvalid,
                "The address has no application, or no state of up to 512 bytes: start the login from the app again."
            )
        }
        let challenge = field("code_challenge")
        // An empty challenge is refused too: the app expects protection that an empty one would not give.
        if let challenge { try ProofKey.check(challenge) }
        guard [nil, ProofKey.method].contains(field("code_challenge_method")) else {
            throw EarshotError(
                .requestInvalid,
                "code_challenge_method is another than \(ProofKey.method): give the SHA-256 digest of the verifier."
            )
        }
        guard let application = try await login.store.application(id) else {
            throw EarshotError(
                .entityNotFound,
                "There is no application \(id.prefix(80)): the operator registers it with `earshot admin app add`."
            )
        }
        return LoginRequest(application: application, state: state, challenge: challenge)
    }

    func loginPage(
        _ context: RequestContext,
        _ wanted: LoginRequest,
        name: String = "",
        fault: String? = nil
    ) throws(EarshotError) -> Response {
        let words = PageWords(texts: try pages.texts(for: context).texts)
        let expiry = Int(context.now.timeIntervalSince1970 + LoginService.pageLifetime)
        var hidden = [
            LoginPage.Field(name: "application", value: wanted.application.id),
            LoginPage.Field(name: "state", value: wanted.state), LoginPage.Field(name: "expires", value: "\(expiry)"),
            LoginPage.Field(name: "seal", value: login.seal(wanted.content, until: expiry)),
        ]
        if let challenge = wanted.challenge { hidden.append(LoginPage.Field(name: "code_challenge", value: challenge)) }
        return try pages.response(
            LoginPage(
                title: words("login.titleFor", ["app": wanted.application.name]),
                action: "/authorize",
                hidden: hidden,
                name: name,
                fault: fault
            ),
            for: context,
            fault == nil ? .ok : .forbidden
        )
    }

    /// Notes the name of a failed login for the audit log, if there is an author of this name. Other texts may be passwords that were typed
    /// into the wrong field.
    func note(_ entry: LoginService.Entry, _ context: RequestContext) async {
        let key = AuthorName.key(of: String(entry.name.prefix(200)))
        if let author = (try? await login.store.author(named: key)) ?? nil { context.note("name", author.name.text) }
    }

    func logIn(_ context: RequestContext) async throws -> Response {
        let form = try await context.form()
        let wanted = try await loginRequest(context) { form.all($0).first }
        let entry = entry(form)
        context.note("application", wanted.application.id)
        do throws(EarshotError) {
            try login.check(form["seal"], of: wanted.content, until: form.integer("expires"))
            let author = try await login.author(entry, from: RequestOrigin(context.address))
            context.note("name", author.name.text)
            let code = try await login.code(for: author, wanted.application, challenge: wanted.challenge)
            var address = URLComponents()
            address.scheme = PieceScheme.prefix + wanted.application.id
            address.host = "authorize"
            address.queryItems = [
                URLQueryItem(name: "code", value: code), URLQueryItem(name: "state", value: wanted.state),
            ]
            // Form decoders read `+` as a space.
            address.percentEncodedQuery = address.percentEncodedQuery?.replacing("+", with: "%2B")
            guard let location = address.string else {
                throw EarshotError(.internalError, "The address of the app could not be made.")
            }
            return Response(status: .seeOther, headers: [.location: location])
        } catch {
            await note(entry, context)
            guard [.accessDenied, .requestInvalid, .tooManyRequests].contains(error.code) else { throw error }
            let words = PageWords(texts: try pages.texts(for: context).texts)
            let fault = LoginFaults.text(error, entry.name, words)
            var response = try loginPage(context, wanted, name: entry.name, fault: fault)
            if error.code == .tooManyRequests { response.status = .tooManyRequests }
            return response
        }
    }
}
