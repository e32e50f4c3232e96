package import Foundation

/// A signed-in session of the service's web pages in a browser.
package struct SessionRecord: Hashable, Sendable, Codable {
    /// The identifier of the session.
    package var id: String
    /// The time at which the person signed in.
    package var began: Date
    /// The time of the last request in the session, accurate to a few minutes.
    package var used: Date
    /// The `User-Agent` of the browser.
    package var agent: String
    /// The network address from which the person signed in; `nil` if unknown.
    package var address: String?
    /// `true` if the operator signed in.
    package var isOperator: Bool
    /// `true` if the current request was made in this session.
    package var isCurrent: Bool

    /// Creates a record.
    package init(
        id: String,
        began: Date,
        used: Date,
        agent: String,
        address: String?,
        isOperator: Bool,
        isCurrent: Bool
    ) {
        self.id = id
        self.began = began
        self.used = used
        self.agent = agent
        self.address = address
        self.isOperator = isOperator
        self.isCurrent = isCurrent
    }
}
