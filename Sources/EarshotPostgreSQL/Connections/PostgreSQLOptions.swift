/// The settings of connections to a server.
package struct PostgreSQLOptions: Sendable {
    /// The address as libpq takes it: `postgresql://user@host-a,host-b/earshot`. Parameters there win over the standard ones.
    package var address: String
    /// The number of connections.
    package var connections = 8
    /// The longest time that a statement takes, in milliseconds.
    package var statementTime = 30_000
    /// The longest time that a statement waits for a lock, in milliseconds.
    package var lockTime = 10_000
    /// The longest time that keeping a change takes, in seconds. A server without its synchronous standby takes until that is back; a client
    /// of the service is to be told before it gives up.
    package var commitSeconds = 6.0
    /// The longest time that work waits for a connection, in seconds.
    package var patience = 10.0

    /// The standard settings.
    package init(_ address: String) { self.address = address }

    /// The settings of a text that may be an address; `nil` if it is none, such as the path of a file.
    package init?(ifAddress text: String?) {
        guard let text, text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else { return nil }
        self.init(text)
    }

    /// The address without a password and parameters, for messages.
    package var name: String {
        guard let scheme = address.firstRange(of: "://") else {
            return address.split(separator: " ").filter { !$0.hasPrefix("password") }.joined(separator: " ")
        }
        let rest = address[scheme.upperBound...].prefix { $0 != "?" }
        // A password may have an `@` that is not escaped.
        guard let end = rest.lastIndex(of: "@") else { return "\(address[..<scheme.upperBound])\(rest)" }
        return "\(address[..<scheme.upperBound])\(rest[..<end].prefix { $0 != ":" })\(rest[end...])"
    }
}
