package import Foundation

/// An app in which an author is logged in: `GET /v1/author/logins`.
package struct LoginRecord: Hashable, Sendable, Codable {
    /// The identifier of the log-in's user.
    package var id: String
    /// The identifier of the app's client.
    package var client: String
    /// What the client is called.
    package var name: String
    /// When the user was registered.
    package var began: Date
    /// Whether the request came from this log-in.
    package var isCurrent: Bool

    /// A log-in.
    package init(id: String, client: String, name: String, began: Date, isCurrent: Bool) {
        self.id = id
        self.client = client
        self.name = name
        self.began = began
        self.isCurrent = isCurrent
    }
}
