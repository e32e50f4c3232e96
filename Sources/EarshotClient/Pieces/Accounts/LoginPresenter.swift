public import EarshotAPI
public import Foundation

/// Has a user log in.
///
/// There are two ways ready-made: ``BrowserLogin`` and ``DeviceCodeLogin``.
public protocol LoginPresenter: Sendable {
    /// Has a user log in, by one of the ways that a session has.
    ///
    /// - Returns: The user.
    /// - Throws: `CancellationError` or `EarshotError` of the code `cancelled` when the user does not want to; anything else that was in
    ///   the way.
    func logIn(_ session: LoginSession) async throws -> PieceAccount
}

/// Log-in in a browser, which comes back to an address of the app.
public struct BrowserLogin: LoginPresenter {
    private let open: @Sendable (URL) async throws -> URL?

    /// A log-in.
    ///
    /// - Parameter open: Shows a page in a browser. Returns the address that the browser was redirected to, or `nil` if
    ///   the system passes that address to the app; the app then calls ``PieceClient/handle(_:)``.
    public init(_ open: @escaping @Sendable (URL) async throws -> URL?) { self.open = open }

    /// Shows the page and waits for the address.
    public func logIn(_ session: LoginSession) async throws -> PieceAccount {
        if let address = try await open(session.page) { return try await session.account(returned: address) }
        return try await session.account()
    }
}

/// Log-in at a device without a browser: it shows a code that is typed in elsewhere.
public struct DeviceCodeLogin: LoginPresenter {
    private let show: @Sendable (DeviceAuthorization) async throws -> Void

    /// A log-in.
    ///
    /// - Parameter show: Shows the code, and where it is typed in; it comes back at once.
    public init(_ show: @escaping @Sendable (DeviceAuthorization) async throws -> Void) { self.show = show }

    /// Shows the code and waits until somebody has logged in.
    public func logIn(_ session: LoginSession) async throws -> PieceAccount {
        let device = try await session.deviceAuthorization()
        try await show(device)
        return try await session.account(of: device)
    }
}

/// No log-in: a user that is known already, as on a server.
package struct StoredLogin: LoginPresenter {
    private let account: PieceAccount

    /// A log-in.
    ///
    /// - Parameter account: The user.
    public init(_ account: PieceAccount) { self.account = account }

    /// The user.
    package func logIn(_ session: LoginSession) async throws -> PieceAccount { account }
}
