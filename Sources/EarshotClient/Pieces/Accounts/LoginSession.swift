public import EarshotAPI
public import EarshotCore
import EarshotPieces
public import Foundation
import NIOHTTP1

/// A login in progress, and the ways in which a user can complete it.
public final class LoginSession: Sendable {
    /// The login page of the service; after the login it redirects to an address of the app.
    public let page: URL

    private let client: PieceClient
    /// The state that the returned address must contain, so that the address of another login is not accepted.
    private let name: String
    /// The proof that the code is of this login: an app that intercepts the code does not have it.
    private let proof: LoginProof
    private let code = FirstValue<String>()

    init(_ client: PieceClient) throws(EarshotError) {
        self.client = client
        let name = (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
        let proof = LoginProof()
        let parameters =
            "application=\(HTTPCall.escaped(client.scheme.application))&state=\(name)"
            + "&code_challenge=\(proof.challenge)&code_challenge_method=S256"
        guard let page = URL(string: "\(client.service.base)/authorize?\(parameters)") else {
            throw EarshotError(
                .setupInvalid,
                "\(client.service.base) cannot be used as the address of the service: check it."
            )
        }
        (self.name, self.proof, self.page) = (name, proof, page)
        client.expect(name, code)
    }

    deinit { end() }

    /// Takes no address any more.
    func end() { client.forget(name) }

    /// Waits until the app has passed the redirect address of this login to ``PieceClient/handle(_:)``, and returns the
    /// account of the user.
    ///
    /// - Throws: `cancelled` if the task is canceled; the service's errors if it rejects the code.
    public func account() async throws(EarshotError) -> PieceAccount {
        let cancelled = EarshotError(.cancelled, "The log-in was canceled.")
        guard !Task.isCancelled else { throw cancelled }
        let code = code
        let text = await withTaskCancellationHandler {
            await code.value
        } onCancel: {
            // No code is empty.
            code.settle("")
        }
        guard !text.isEmpty else { throw cancelled }
        return try await account(code: text)
    }

    /// Returns the account for the address that the browser was redirected to.
    ///
    /// - Throws: `accessDenied` for an address that belongs to another login; the service's errors if it rejects the
    ///   code.
    public func account(returned address: URL) async throws(EarshotError) -> PieceAccount {
        guard case .authorize(let code, let state)? = client.scheme.request(address), state == name else {
            throw EarshotError(.accessDenied, "The browser came back from another log-in: log in again.")
        }
        end()
        return try await account(code: code)
    }

    /// Requests a code that the user enters on another device.
    ///
    /// - Throws: The service's errors.
    public func deviceAuthorization() async throws(EarshotError) -> DeviceAuthorization {
        try await client.asApp.value(DeviceAuthorization.self, HTTPCall(.POST, path: "device-authorizations"))
    }

    /// Waits until the user has entered the code and logged in, and returns the account.
    ///
    /// - Throws: `timedOut` if the code expires before, `cancelled` if the task is canceled, and the service's errors.
    public func account(of device: DeviceAuthorization) async throws(EarshotError) -> PieceAccount {
        let requests = client.asApp
        let clock = client.configuration.options.clock
        let end = clock.now + MediaTime(value: Int64(max(0, device.expiresIn)), timescale: 1)
        let call = try requests.call(
            .POST,
            "device-authorizations/answer",
            DeviceQuestion(deviceCode: device.deviceCode, user: await former)
        )
        while clock.now < end {
            let pause = MediaTime(value: Int64(min(max(1, device.interval), 60)), timescale: 1)
            guard (try? await clock.sleep(until: clock.now + pause)) != nil else {
                throw EarshotError(.cancelled, "The log-in was canceled.")
            }
            let answer = try await requests.answer(call)
            if answer.status != 202 { return try account(answer) }
        }
        throw EarshotError(.timedOut, "The code \(device.userCode) was not entered in time: log in again.")
    }

    /// The user that was kept before, who goes on with its history; `nil` if there was none.
    private var former: String? {
        get async { try? await client.account()?.user }
    }

    private func account(code: String) async throws(EarshotError) -> PieceAccount {
        let requests = client.asApp
        let request = AuthorizationRequest(code: code, codeVerifier: proof.verifier, user: await former)
        let call = try requests.call(.POST, "authorizations", request)
        return try account(try await requests.answer(call))
    }

    private func account(_ answer: HTTPAnswer) throws(EarshotError) -> PieceAccount {
        let answer = try client.service.value(AuthorizationAnswer.self, answer.body)
        return PieceAccount(user: answer.user, author: answer.author)
    }
}
