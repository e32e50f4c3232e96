import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotPieces
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Endpoints {
    // MARK: - Logging in

    static var logins: [Endpoint] {
        let page = Endpoint.Answer(status: 200, summary: "The page.", type: "text/html", schema: ["type": "string"])
        let form: Endpoint.Body = ["application/x-www-form-urlencoded": ["type": "object"]]
        let refused = Endpoint.Answer(
            status: 403,
            summary: "The page again, which says what was wrong.",
            type: "text/html",
            schema: ["type": "string"]
        )
        let answer = Endpoint.Answer(
            status: 200,
            summary: "The user that has logged in.",
            type: "application/json",
            schema: Schemas.reference("AuthorizationAnswer")
        )
        let parameters: [Endpoint.Parameter] = [
            .text("application", "The identifier of the app.", isRequired: true),
            .text("state", "What the app knows the log-in by.", isRequired: true),
            Endpoint.Parameter(
                name: "code_challenge",
                schema: Schemas.codeChallenge,
                summary:
                    "The SHA-256 digest of a verifier in base64url, by RFC 7636: the code is then given for this verifier only."
            ),
            Endpoint.Parameter(
                name: "code_challenge_method",
                schema: ["type": "string", "enum": [.string(ProofKey.method)]],
                summary: "How the challenge is made of the verifier."
            ),
        ]
        return [
            Endpoint(
                method: .get,
                path: "/authorize",
                id: "loginPage",
                summary: "The page on which people log in for an app, or make an account.",
                tag: "Log-in",
                access: .open,
                parameters: parameters,
                answers: [page, .failure(404, "There is no such app.")],
                handler: { call in
                    let wanted = try await wanted(call) { name in call.parameters.last { $0.name == name }?.value }
                    return loginPage(call, wanted)
                }
            ),
            Endpoint(
                method: .post,
                path: "/authorize",
                id: "logIn",
                summary: "Logs in, and leads back to the app with a code.",
                tag: "Log-in",
                access: .open,
                body: form,
                answers: [
                    Endpoint.Answer(status: 303, summary: "Logged in: the address leads back to the app."), refused,
                    .failure(404, "There is no such app."),
                ],
                handler: { try await logIn($0) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/authorizations",
                id: "authorise",
                summary: "Gives an app the user that has logged in, for the code that came with the address.",
                tag: "Log-in",
                access: .client,
                body: ["application/json": Schemas.reference("AuthorizationRequest")],
                answers: [
                    answer,
                    .failure(
                        403,
                        "There is no such code, it was used, it is another app's, or this is not its verifier."
                    ),
                    .failure(409, "The client has registered as many users as it may."),
                ],
                handler: { call in
                    let request = try await call.document(AuthorizationRequest.self, limit: 4 << 10)
                    guard let reply = try await loggedIn(call, with: request.code, request.codeVerifier) else {
                        throw wrongCode
                    }
                    return reply
                }
            ),
            Endpoint(
                method: .post,
                path: "/v1/device-authorizations",
                id: "beginDeviceLogin",
                summary: "Begins a log-in at a device without a browser: what it shows, and where that is typed in.",
                tag: "Log-in",
                access: .client,
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The codes.",
                        type: "application/json",
                        schema: Schemas.reference("DeviceAuthorization")
                    ),
                    .failure(403, "The operator does not log in."),
                ],
                handler: { try await beginDevice($0) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/device-authorizations/answer",
                id: "deviceAnswer",
                summary: "Whether somebody has logged in for a device.",
                tag: "Log-in",
                access: .client,
                body: ["application/json": Schemas.reference("DeviceQuestion")],
                answers: [
                    answer, Endpoint.Answer(status: 202, summary: "Nobody has yet."),
                    .failure(403, "There is no such code, it was used, or it is too old."),
                    .failure(409, "The client has registered as many users as it may."),
                ],
                handler: { call in
                    let code = try await call.document(DeviceQuestion.self, limit: 4 << 10).deviceCode
                    if let reply = try await loggedIn(call, with: code, nil) { return reply }
                    let (store, client) = (call.core.pieces.store, call.identity.client?.id ?? "")
                    let known = try await store.code(Secrets.digest(code), client: client, at: call.core.now())
                    guard known != nil else { throw wrongCode }
                    return Response(status: .accepted)
                }
            ),
            Endpoint(
                method: .get,
                path: "/device",
                id: "devicePage",
                summary: "The page on which people type in what a device shows.",
                tag: "Log-in",
                access: .open,
                answers: [page],
                handler: { call in devicePage(call) }
            ),
            Endpoint(
                method: .post,
                path: "/device",
                id: "logInDevice",
                summary: "Logs in for a device.",
                tag: "Log-in",
                access: .open,
                body: form,
                answers: [page, refused],
                handler: { try await logInDevice($0) }
            ),
        ]
    }

    private static let wrongCode = EarshotError(
        .accessDenied,
        "There is no such code, it was used before, or it is too old: log in again."
    )

    // MARK: - Pages

    /// The fields of a form that a page of the service sent.
    private static func form(_ call: Call) async throws -> FormParameters {
        let essence = (call.request.headers[.contentType] ?? "").prefix { $0 != ";" }
            .trimmingCharacters(in: .whitespaces).lowercased()
        guard essence == "application/x-www-form-urlencoded" else {
            throw EarshotError(.mediaTypeUnsupported, "The body is to be a form.")
        }
        // Browsers say whose page sent the form, old ones not: these are held by the seal alone.
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ call.request.headers[$0] }),
            site != "same-origin", site != "none"
        {
            throw EarshotError(.accessDenied, "This form was sent by a page of somebody else.")
        }
        let body = call.request.body
        let data = try await withTimeLimit(call.core.settings.uploadTime, "The upload") {
            var data = Data()
            for try await part in body {
                data.append(contentsOf: part.readableBytesView)
                guard data.count <= 16 << 10 else { throw EarshotError(.uploadTooLarge, "The form is too large.") }
            }
            return data
        }
        var form = FormParameters()
        try form.add(String(decoding: data, as: UTF8.self))
        return form
    }

    private static func entry(_ form: FormParameters) -> LoginService.Entry {
        LoginService.Entry(
            name: form["name"] ?? "",
            password: form["password"] ?? "",
            isNew: form["action"] == "create"
        )
    }

    /// What an app wants with the page on which people log in.
    private struct Wanted {
        let application: PieceApplication
        /// What the app knows the log-in by.
        let state: String
        /// What the verifier comes to that the app is to show; nothing for an app that shows none.
        let challenge: String?

        /// What the seal of the form covers. The state stands last, for it may have lines of its own.
        var content: [String] { ["authorize", application.id, challenge ?? "", state] }
    }

    /// What the fields of an address or a form say that an app wants.
    ///
    /// - Throws: `requestInvalid` for fields that are missing or cannot be, `entityNotFound` for an app that is not there.
    private static func wanted(_ call: Call, _ field: (String) -> String?) async throws -> Wanted {
        guard let id = field("application")?.lowercased(), let state = field("state"),
            (1...512).contains(id.utf8.count), (1...512).contains(state.utf8.count)
        else {
            throw EarshotError(.requestInvalid, "The address names no application and no state of up to 512 bytes.")
        }
        let challenge = field("code_challenge")
        // An empty one is refused too: its app takes itself for safe.
        if let challenge { try ProofKey.check(challenge) }
        guard [nil, ProofKey.method].contains(field("code_challenge_method")) else {
            throw EarshotError(
                .requestInvalid,
                "code_challenge_method is another than \(ProofKey.method): give the SHA-256 digest of the verifier."
            )
        }
        guard let application = try await call.core.pieces.store.application(id) else {
            throw EarshotError(
                .entityNotFound,
                "There is no application \(id.prefix(80)): the operator registers it with `earshot admin app add`."
            )
        }
        return Wanted(application: application, state: state, challenge: challenge)
    }

    private static func loginPage(
        _ call: Call,
        _ wanted: Wanted,
        name: String = "",
        fault: String? = nil
    ) -> Response {
        let login = LoginService(core: call.core)
        let expiry = Int(call.core.now().timeIntervalSince1970 + LoginService.pageLifetime)
        var hidden: [(name: String, value: String)] = [
            ("application", wanted.application.id), ("state", wanted.state), ("expires", "\(expiry)"),
            ("seal", login.seal(wanted.content, until: expiry)),
        ]
        if let challenge = wanted.challenge { hidden.append(("code_challenge", challenge)) }
        return PieceHTML.response(
            LoginPage.html(
                title: "Log in for \(wanted.application.name)",
                action: "/authorize",
                hidden: hidden,
                name: name,
                fault: fault
            ),
            fault == nil ? .ok : .forbidden
        )
    }

    private static func logIn(_ call: Call) async throws -> Response {
        let form = try await form(call)
        let login = LoginService(core: call.core)
        let wanted = try await wanted(call) { form.all($0).first }
        let entry = entry(form)
        do throws(EarshotError) {
            try login.check(form["seal"], of: wanted.content, until: form.integer("expires"))
            let author = try await login.author(entry, from: RequestOrigin(call.context.remoteAddress?.ipAddress))
            let code = try await login.code(for: author, wanted.application, challenge: wanted.challenge)
            var address = URLComponents()
            address.scheme = PieceScheme.prefix + wanted.application.id
            address.host = "authorize"
            address.queryItems = [
                URLQueryItem(name: "code", value: code), URLQueryItem(name: "state", value: wanted.state),
            ]
            // A plus sign would be a blank to some.
            address.percentEncodedQuery = address.percentEncodedQuery?.replacing("+", with: "%2B")
            guard let location = address.string else {
                throw EarshotError(.internalError, "The address of the app could not be made.")
            }
            return Response(status: .seeOther, headers: [.location: location])
        } catch {
            guard [.accessDenied, .requestInvalid, .tooManyRequests].contains(error.code) else { throw error }
            var response = loginPage(call, wanted, name: entry.name, fault: error.message)
            if error.code == .tooManyRequests { response.status = .tooManyRequests }
            return response
        }
    }

    private static func devicePage(
        _ call: Call,
        code: String = "",
        name: String = "",
        fault: String? = nil
    ) -> Response {
        let expiry = Int(call.core.now().timeIntervalSince1970 + LoginService.pageLifetime)
        let seal = LoginService(core: call.core).seal(["device"], until: expiry)
        return PieceHTML.response(
            LoginPage.html(
                title: "Log in for a device",
                action: "/device",
                hidden: [("expires", "\(expiry)"), ("seal", seal)],
                code: code,
                name: name,
                fault: fault
            ),
            fault == nil ? .ok : .forbidden
        )
    }

    private static func logInDevice(_ call: Call) async throws -> Response {
        let form = try await form(call)
        let login = LoginService(core: call.core)
        let (entry, code) = (entry(form), form["code"] ?? "")
        do throws(EarshotError) {
            try login.check(form["seal"], of: ["device"], until: form.integer("expires"))
            let origin = RequestOrigin(call.context.remoteAddress?.ipAddress)
            try call.core.logins.check(.code, origin, at: call.core.now())
            let author = try await login.author(entry, from: origin)
            try await login.approve(code, author, from: origin)
            return PieceHTML.response(
                PieceHTML.html(
                    title: "Logged in",
                    body: "<h1>Logged in</h1><p>You can go back to your device. It goes on within seconds.</p>"
                )
            )
        } catch {
            guard [.accessDenied, .requestInvalid, .tooManyRequests].contains(error.code) else { throw error }
            var response = devicePage(call, code: code, name: entry.name, fault: error.message)
            if error.code == .tooManyRequests { response.status = .tooManyRequests }
            return response
        }
    }

    // MARK: - Answers

    /// The user that has logged in with a code, made for this client; nothing where the code is not good, or not yet.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - code: The code.
    ///   - verifier: What the challenge of the code was made of; nothing where none was sent.
    private static func loggedIn(_ call: Call, with code: String, _ verifier: String?) async throws -> Response? {
        let store = call.core.pieces.store
        guard let client = call.identity.client else {
            throw EarshotError(.accessDenied, "The operator does not log in: ask with the token of a client.")
        }
        let taken = try await store.takeCode(Secrets.digest(code), client: client.id, at: call.core.now())
        // Whoever has a code and not its verifier has caught it on its way: it is worth nothing from now on.
        guard let taken, ProofKey.admits(verifier, for: taken.challenge) else { return nil }
        guard let id = taken.author, let author = try await store.author(id) else { return nil }
        return try await registering(call) { () async throws(EarshotError) in
            let (user, serialised, _) = try await newUser(of: client, call.core)
            try await store.setAuthor(author.id, ofUser: user.id)
            return try .json(AuthorizationAnswer(user: serialised, author: author.name.text))
        }
    }

    private static func beginDevice(_ call: Call) async throws -> Response {
        guard let client = call.identity.client else {
            throw EarshotError(.accessDenied, "The operator does not log in: ask with the token of a client.")
        }
        let codes = try await LoginService(core: call.core).deviceCodes(client.id)
        guard let address = URL(string: "\(call.base)/device") else {
            throw EarshotError(.requestInvalid, "The service does not know how it is reached.")
        }
        return try .json(
            DeviceAuthorization(
                deviceCode: codes.device,
                userCode: codes.user,
                address: address,
                interval: LoginService.deviceInterval,
                expiresIn: Int(LoginService.deviceLifetime)
            )
        )
    }
}
