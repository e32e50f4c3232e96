public import EarshotAPI
public import EarshotCore
import NIOHTTP1

extension PieceClient {
    /// Returns the stored account; `nil` if nobody has logged in.
    ///
    /// - Throws: `storeUnavailable` if the token store cannot be read.
    public func account() async throws(EarshotError) -> PieceAccount? {
        try await configuration.tokenStore.account(for: place)
    }

    /// Lets a user log in, and stores the account.
    ///
    /// - Returns: The account of the user.
    /// - Throws: `accessDenied` if no login is configured or the login failed; `cancelled`; the service's errors;
    ///   `writeFailed` if the account cannot be stored.
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
        guard case .value(let result) = end else { throw EarshotError(.cancelled, "The log-in was canceled.") }
        let account = try result.get()
        try await configuration.tokenStore.keep(account, for: place)
        return account
    }

    /// Fetches the active logins of the user's author, one for each app, the newest first.
    ///
    /// - Throws: `accessDenied` if nobody has logged in, `tokenRejected` if the login has ended, and the service's
    ///   errors.
    public func logIns() async throws(EarshotError) -> [LoginRecord] {
        try await asUser().value([LoginRecord].self, HTTPCall(.GET, path: "author/logins"))
    }

    /// Ends a login of the user's author, such as that of a lost device.
    ///
    /// - Parameter id: The identifier of the login, from ``logIns()``.
    /// - Throws: `entityNotFound` for a login that the author does not have, and the service's errors.
    public func endLogIn(_ id: String) async throws(EarshotError) {
        _ = try await asUser().answer(HTTPCall(.DELETE, path: "author/logins/\(HTTPCall.escaped(id))"))
    }

    /// Ends all logins of the user's author except the one of this client.
    ///
    /// - Throws: The service's errors.
    public func endOtherLogIns() async throws(EarshotError) {
        _ = try await asUser().answer(HTTPCall(.DELETE, path: "author/logins"))
    }

    /// Removes the account from the token store. The login at the service is not ended.
    ///
    /// - Throws: `writeFailed` if the token store cannot be changed.
    public func logOut() async throws(EarshotError) {
        try await configuration.tokenStore.keep(nil, for: place)
    }

    private static func refusal(_ error: any Error) -> EarshotError {
        if let error = error as? EarshotError { return error }
        if error is CancellationError { return EarshotError(.cancelled, "The log-in was canceled.", cause: error) }
        return EarshotError(.accessDenied, "The log-in failed: \(error.words)", cause: error)
    }
}
