package import Foundation

/// A change of what the service keeps or of who may use it, as the audit log tells it.
package struct AuditEntry: Hashable, Sendable, Codable {
    /// The place in the log; the first entry is 1.
    package var number: Int
    /// The time of the change.
    package var date: Date
    /// The sender: `operator`, `client ID`, `client ID user ID`, `nobody`, or `command NAME` for a command of a user of the system.
    package var who: String
    /// The operation, by its name in the description of the service, or the words of a command.
    package var what: String
    /// The parts of the path and what else tells the thing that was changed, by name; never a secret.
    package var target: [String: String]
    /// The status of the response; `nil` for a command.
    package var status: Int?
    /// The address of the sender; `nil` for a command.
    package var address: String?
    /// The name of the request in the log of the service; `nil` for a command.
    package var request: String?

    /// A change that the log gives its number.
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
