public import Foundation

/// A login of an author in an app, from `GET /v1/author/logins`.
public struct LoginRecord: Hashable, Sendable, Codable {
    /// The identifier of the log-in's user.
    public var id: String
    /// The identifier of the app's client.
    public var client: String
    /// The name of the client.
    public var name: String
    /// The time at which the user was registered.
    public var began: Date
    /// True for the log-in that the request came from.
    public var isCurrent: Bool

    /// A log-in.
    public init(id: String, client: String, name: String, began: Date, isCurrent: Bool) {
        self.id = id
        self.client = client
        self.name = name
        self.began = began
        self.isCurrent = isCurrent
    }
}
