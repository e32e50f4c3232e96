/// A user that has logged in to a service of pieces.
public struct PieceAccount: Hashable, Sendable, Codable, CustomStringConvertible, CustomReflectable {
    /// The user, as requests for tokens name it: a secret.
    public var user: String
    /// The author that the user publishes as.
    public var author: String

    /// A user.
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
    /// The application identifier.
    public let application: String

    /// A place.
    public init(service: String, application: String) {
        self.service = service
        self.application = application
    }
}
