public import EarshotAPI
public import EarshotCore
import NIOHTTP1

extension PieceClient {
    /// The user that is kept; `nil` if nobody has logged in.
    ///
    /// - Throws: `storeUnavailable`.
    public func account() async throws(EarshotError) -> PieceAccount? {
        try await configuration.tokenStore.account(for: place)
    }

    /// Has a user log in, and keeps it.
    ///
    /// - Returns: The user.
    /// - Throws: `accessDenied` if no login was set up or the login failed; `cancelled`; the service's errors;
    ///   `writeFailed`.
    @discardableResult
    public func logIn() async throws(EarshotError) -> PieceAccount {
        guard let presenter = configuration.login else {
            throw EarshotError(
                .accessDenied,
                "No user is logged in, and no login is set up: set one up, or put an account into the token store."
            )
        }
        let session = try LoginSession(self)
        defer { session.end() }
        let end = await withTimeLimit(nil, clock: configuration.options.clock, unfinished: .abandoned) {
            () async -> Result<PieceAccount, EarshotError> in
            do {
                return .success(try await presenter.logIn(session))
            } catch {
                return .failure(Self.refusal(error))
            }
        }
        guard case .value(let result) = end else { throw EarshotError(.cancelled, "The log-in was cancelled.") }
        let account = try result.get()
        try await configuration.tokenStore.keep(account, for: place)
        return account
    }

    /// The apps in which the author of the user is logged in, the newest log-in first.
    ///
    /// - Throws: `accessDenied` and `tokenRejected` where nobody is logged in, and what the service says.
    public func logIns() async throws(EarshotError) -> [LoginRecord] {
        try await asUser().value([LoginRecord].self, HTTPCall(.GET, path: "author/logins"))
    }

    /// Ends a log-in of the user's author at the service, such as that of a device that was lost.
    ///
    /// - Parameter id: The log-in, as ``logIns()`` tells it.
    /// - Throws: `entityNotFound` for an app that is not in the author's list, and the service's errors.
    public func endLogIn(_ id: String) async throws(EarshotError) {
        _ = try await asUser().answer(HTTPCall(.DELETE, path: "author/logins/\(HTTPCall.escaped(id))"))
    }

    /// Ends all log-ins of the user's author but this one at the service.
    ///
    /// - Throws: The service's errors.
    public func endOtherLogIns() async throws(EarshotError) {
        _ = try await asUser().answer(HTTPCall(.DELETE, path: "author/logins"))
    }

    /// Forgets the user.
    ///
    /// - Throws: `writeFailed`.
    public func logOut() async throws(EarshotError) {
        try await configuration.tokenStore.keep(nil, for: place)
    }

    private static func refusal(_ error: any Error) -> EarshotError {
        if let error = error as? EarshotError { return error }
        if error is CancellationError { return EarshotError(.cancelled, "The log-in was cancelled.", cause: error) }
        return EarshotError(.accessDenied, "The log-in failed: \(error.words)", cause: error)
    }
}
