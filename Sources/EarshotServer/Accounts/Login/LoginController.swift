import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotPieces
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Logs people in for apps and devices.
struct LoginController: Controller {
    let login: LoginService
    let logins: LoginRegister
    let pages: PageRenderer

    var endpoints: [Endpoint] {
        let page = Endpoint.Response(status: 200, summary: "The page.", type: "text/html", schema: ["type": "string"])
        let form: Endpoint.Body = ["application/x-www-form-urlencoded": ["type": "object"]]
        let refused = Endpoint.Response(
            status: 403,
            summary: "The page again, which says what was wrong.",
            type: "text/html",
            schema: ["type": "string"]
        )
        let answer = Endpoint.Response(
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
                access: .page,
                parameters: parameters,
                responses: [page, .failure(404, "There is no such app.")],
                handler: { context in
                    let wanted = try await loginRequest(context) { name in
                        context.parameters.last { $0.name == name }?.value
                    }
                    return try loginPage(context, wanted)
                }
            ),
            Endpoint(
                method: .post,
                path: "/authorize",
                id: "logIn",
                summary: "Logs in, and leads back to the app with a code.",
                tag: "Log-in",
                access: .page,
                body: form,
                isAudited: true,
                responses: [
                    Endpoint.Response(status: 303, summary: "Logged in: the address leads back to the app."), refused,
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
                isAudited: true,
                responses: [
                    answer,
                    .failure(
                        403,
                        "There is no such code, it was used, it is another app's, or this is not its verifier."
                    ),
                    .failure(409, "The client has registered as many users as it may."),
                ],
                handler: { context in
                    let request = try await context.document(AuthorizationRequest.self, limit: 4 << 10)
                    guard
                        let reply = try await loggedIn(context, with: request.code, request.codeVerifier, request.user)
                    else {
                        throw Self.wrongCode
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
                responses: [
                    Endpoint.Response(
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
                responses: [
                    answer, Endpoint.Response(status: 202, summary: "Nobody has yet."),
                    .failure(403, "There is no such code, it was used, it is too old, or it was refused."),
                    .failure(409, "The client has registered as many users as it may."),
                ],
                handler: { context in
                    let question = try await context.document(DeviceQuestion.self, limit: 4 << 10)
                    let code = question.deviceCode
                    if let reply = try await loggedIn(context, with: code, nil, question.user) { return reply }
                    let (store, client) = (login.store, context.identity.client?.id ?? "")
                    let known = try await store.code(Secrets.digest(code), client: client, at: context.now)
                    guard let known else { throw Self.wrongCode }
                    guard !known.isRefused else { throw Self.refusedCode }
                    return Response(status: .accepted)
                }
            ),
            Endpoint(
                method: .get,
                path: "/device",
                id: "devicePage",
                summary: "The page on which people type in what a device shows.",
                tag: "Log-in",
                access: .page,
                responses: [page],
                handler: { context in try devicePage(context) }
            ),
            Endpoint(
                method: .post,
                path: "/device",
                id: "logInDevice",
                summary: "Looks up what a device shows and names the app that asks, logs in for it, or refuses it.",
                tag: "Log-in",
                access: .page,
                body: form,
                isAudited: true,
                responses: [page, refused],
                handler: { try await logInDevice($0) }
            ),
        ]
    }

    private static let wrongCode = EarshotError(
        .accessDenied,
        "The code is unknown, was used before, or has expired: log in again."
    )

    private static let refusedCode = EarshotError(
        .accessDenied,
        "The user refused the login: start it again."
    )

    // MARK: - Answers

    /// Takes the login of a code and registers its user for the client of the request; `nil` if the code is wrong or not approved yet.
    ///
    /// - Parameters:
    ///   - context: The request.
    ///   - code: The code.
    ///   - verifier: The verifier of the code's challenge; `nil` if none was sent.
    ///   - former: The user that the app had before; `nil` for a new one.
    private func loggedIn(
        _ context: RequestContext,
        with code: String,
        _ verifier: String?,
        _ former: String?
    ) async throws -> Response? {
        let store = login.store
        try context.checkIsOfProgram()
        guard let client = context.identity.client else {
            throw EarshotError(.accessDenied, "The operator does not log in: ask with the token of a client.")
        }
        let taken = try await store.takeCode(Secrets.digest(code), client: client.id, at: context.now)
        // A code without its verifier was intercepted. It is taken already, so it cannot be used any more.
        guard let taken, ProofKey.admits(verifier, for: taken.challenge) else { return nil }
        context.note("author", taken.author ?? "")
        guard let id = taken.author, let author = try await store.author(id) else { return nil }
        return try await logins.users.registering(context) { () async throws(EarshotError) in
            let user = try await logins.begin(author.id, in: client, inPlaceOf: former, at: context.now)
            return try .json(AuthorizationAnswer(user: user, author: author.name.text))
        }
    }

    private func beginDevice(_ context: RequestContext) async throws -> Response {
        try context.checkIsOfProgram()
        guard let client = context.identity.client else {
            throw EarshotError(.accessDenied, "The operator does not log in: ask with the token of a client.")
        }
        try await login.logins.addDevice(from: RequestOrigin(context.address))
        let codes = try await login.deviceCodes(client.id)
        guard let address = URL(string: "\(context.base)/device") else {
            throw EarshotError(
                .requestInvalid,
                "The service does not know its own address: its operator must set publicURL."
            )
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
