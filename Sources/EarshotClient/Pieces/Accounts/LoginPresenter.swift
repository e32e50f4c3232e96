public import EarshotAPI
public import Foundation

/// Lets a user log in to a service of pieces.
///
/// ``BrowserLogin`` and ``DeviceCodeLogin`` implement it.
public protocol LoginPresenter: Sendable {
    /// Lets a user log in, in a browser or with a device code.
    ///
    /// - Parameter session: The login in progress, which offers both ways.
    /// - Returns: The account of the user.
    /// - Throws: `CancellationError`, or `EarshotError` with the code `cancelled`, if the user cancels; any other error
    ///   if the login fails.
    func logIn(_ session: LoginSession) async throws -> PieceAccount
}

/// A login on a page in a browser, which then redirects to an address of the app.
public struct BrowserLogin: LoginPresenter {
    private let open: @Sendable (URL) async throws -> URL?

    /// Creates a login in a browser.
    ///
    /// - Parameter open: Shows a page in a browser. Returns the address that the browser was redirected to, or `nil` if
    ///   the system passes that address to the app; the app then calls ``PieceClient/handle(_:)``.
    public init(_ open: @escaping @Sendable (URL) async throws -> URL?) { self.open = open }

    /// Shows the page, waits for the redirect, and returns the account of the user.
    public func logIn(_ session: LoginSession) async throws -> PieceAccount {
        if let address = try await open(session.page) { return try await session.account(returned: address) }
        return try await session.account()
    }
}

/// A login on a device without a browser: the device shows a code that the user enters on another device.
public struct DeviceCodeLogin: LoginPresenter {
    private let show: @Sendable (DeviceAuthorization) async throws -> Void

    /// Creates a login with a code.
    ///
    /// - Parameter show: Shows the code and the address at which it is entered, and returns without waiting for the
    ///   user.
    public init(_ show: @escaping @Sendable (DeviceAuthorization) async throws -> Void) { self.show = show }

    /// Shows the code, waits until the user has entered it and logged in, and returns the account.
    public func logIn(_ session: LoginSession) async throws -> PieceAccount {
        let device = try await session.deviceAuthorization()
        try await show(device)
        return try await session.account(of: device)
    }
}

/// No login: returns an account that is already known, as on a server.
package struct StoredLogin: LoginPresenter {
    private let account: PieceAccount

    /// Creates a login that returns an account.
    ///
    /// - Parameter account: The account of the user.
    public init(_ account: PieceAccount) { self.account = account }

    /// Returns the account that the login was created with.
    package func logIn(_ session: LoginSession) async throws -> PieceAccount { account }
}
