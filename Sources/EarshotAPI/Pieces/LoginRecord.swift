public import Foundation

/// A login of an author in an app, from `GET /v1/author/logins`.
public struct LoginRecord: Hashable, Sendable, Codable {
    /// The identifier of the login, which is that of its user.
    public var id: String
    /// The identifier of the client that the app uses.
    public var client: String
    /// The operator's name for the client.
    public var name: String
    /// The time at which the user of the login was registered.
    public var began: Date
    /// `true` for the login that the request was made with.
    public var isCurrent: Bool

    /// Creates a record.
    public init(id: String, client: String, name: String, began: Date, isCurrent: Bool) {
        self.id = id
        self.client = client
        self.name = name
        self.began = began
        self.isCurrent = isCurrent
    }
}
