/// The account of a user who has logged in to a service of pieces.
public struct PieceAccount: Hashable, Sendable, Codable, CustomStringConvertible, CustomReflectable {
    /// The user in the form in which token requests contain it: a secret.
    public var user: String
    /// The name of the author under which the user publishes.
    public var author: String

    /// Creates an account from what a login returned; nothing is sent.
    ///
    /// - Parameters:
    ///   - user: The user in the form in which token requests contain it: a secret.
    ///   - author: The name of the author under which the user publishes.
    public init(user: String, author: String) {
        self.user = user
        self.author = author
    }

    /// The author; the secret is left out.
    public var description: String { "the user that publishes as \(author)" }
    /// The same text as ``description``, without the secret.
    public var customMirror: Mirror { Mirror(self, children: ["author": author]) }
}

/// The key of a stored account: an app and a service.
public struct PieceTokenKey: Hashable, Sendable {
    /// The address of the service.
    public let service: String
    /// The application identifier of the app.
    public let application: String

    /// Creates a key from the address of a service and an application identifier.
    public init(service: String, application: String) {
        self.service = service
        self.application = application
    }
}
