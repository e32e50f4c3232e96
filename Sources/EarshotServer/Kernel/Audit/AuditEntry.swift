package import Foundation

/// An entry of the audit log: a change of the service's data or of access to it.
package struct AuditEntry: Hashable, Sendable, Codable {
    /// The number of the entry in the log, counted from 1.
    package var number: Int
    /// The time of the change.
    package var date: Date
    /// The sender: `operator`, `client ID`, `client ID user ID`, `nobody`, or `command NAME` for a command that the system user NAME ran.
    package var who: String
    /// The operation: its `operationId` in the OpenAPI description, or the words of a command.
    package var what: String
    /// The path parameters and other values that identify the changed thing, by name; never a secret.
    package var target: [String: String]
    /// The status of the response; `nil` for a command.
    package var status: Int?
    /// The address of the sender; `nil` for a command.
    package var address: String?
    /// The id of the request in the log of the service; `nil` for a command.
    package var request: String?

    /// Creates an entry. The log numbers it.
    init(
        date: Date,
        who: String,
        what: String,
        target: [String: String] = [:],
        status: Int? = nil,
        address: String? = nil,
        request: String? = nil
    ) {
        number = 0
        self.date = date
        self.who = who
        self.what = what
        self.target = target
        self.status = status
        self.address = address
        self.request = request
    }
}
