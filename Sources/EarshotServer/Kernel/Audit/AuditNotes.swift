import EarshotRecognition
import Synchronization

/// Facts about a request that become known while it is handled. Outer middleware uses them, for the audit log and the rate of
/// refusals.
final class AuditNotes: Sendable {
    struct Content: Sendable {
        /// The operation; `nil` for one that is not recorded.
        var operation: String?
        var who = "nobody"
        /// The name of the sender; `nil` for an anonymous one.
        var sender: String?
        var target: [String: String] = [:]
    }

    private let state = Mutex(Content())

    var content: Content { state.withLock { $0 } }

    /// Begins the entry of a request, if requests of its endpoint are recorded.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - identity: The sender.
    ///   - parameter: Returns the value of a path parameter by its name.
    func begin(_ endpoint: Endpoint, _ identity: Identity, parameter: (String) -> String?) {
        if case .nobody = identity {} else { state.withLock { $0.sender = identity.auditName } }
        guard endpoint.isRecorded else { return }
        var target: [String: String] = [:]
        for name in endpoint.pathParameters { target[name] = parameter(name).map(Self.cut) }
        state.withLock { content in
            (content.operation, content.who, content.target) = (endpoint.id, identity.auditName, target)
        }
    }

    /// Records a value that identifies what the request changes.
    func note(_ name: String, _ value: String) {
        state.withLock { $0.target[name] = Self.cut(value) }
    }

    /// Discards the entry, because the request has changed nothing.
    func leaveOut() {
        state.withLock { $0.operation = nil }
    }

    /// Returns the first 200 Unicode scalars of a text: a single character can have any number of them.
    private static func cut(_ value: String) -> String {
        String(String.UnicodeScalarView(value.unicodeScalars.prefix(200)))
    }
}

extension Identity {
    /// The name of the sender in the audit log.
    var auditName: String {
        switch self {
        case .nobody: "nobody"
        case .client(let client, let user): user.map { "client \(client.id) user \($0.id)" } ?? "client \(client.id)"
        case .admin: Self.operatorName
        }
    }
}
