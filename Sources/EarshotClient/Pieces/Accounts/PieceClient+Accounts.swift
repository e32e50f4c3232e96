public import EarshotCore

extension PieceClient {
    /// The user that is kept; nothing when nobody has logged in.
    ///
    /// - Throws: `storeUnavailable`.
    public func account() async throws(EarshotError) -> PieceAccount? {
        try await configuration.tokenStore.account(for: place)
    }

    /// Has a user log in, and keeps it.
    ///
    /// - Returns: The user.
    /// - Throws: `accessDenied` where nothing was set up to log in with, or the log-in went wrong; `cancelled`; what the service says;
    ///   `writeFailed`.
    @discardableResult
    public func logIn() async throws(EarshotError) -> PieceAccount {
        guard let presenter = configuration.login else {
            throw EarshotError(
                .accessDenied,
                "Nobody has logged in, and there is no way to: set up a login, or keep a user in the token store."
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
