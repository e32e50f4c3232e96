package import Foundation

/// A browser in which a person has signed in, as a service tells it.
package struct SessionRecord: Hashable, Sendable, Codable {
    /// The name of the session.
    package var id: String
    /// The time at which the person signed in.
    package var began: Date
    /// The time of the last use, to within a few minutes.
    package var used: Date
    /// The browser, as it names itself.
    package var agent: String
    /// The address that the person signed in from.
    package var address: String?
    /// `true` if it is the operator's.
    package var isOperator: Bool
    /// `true` if the request came from it.
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
