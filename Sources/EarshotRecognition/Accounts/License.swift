public import EarshotCore
public import Foundation

/// A license that the operator of a service issues to the makers of an app: the service, the client identifiers that
/// may use it, and the expiry date.
///
/// A license is JSON text with a checksum, made by `earshot admin license`. It is not a secret: it does not contain the
/// secret tags of its clients.
public struct License: Hashable, Sendable {
    /// A client identifier that is enabled, without its secret tag.
    public struct Client: Hashable, Sendable, Codable {
        /// The public part of the client identifier.
        public var id: String
        /// The kinds of queries that the client is enabled for.
        public var modules: Set<Registration.Module>

        /// Creates an enabled client.
        public init(id: String, modules: Set<Registration.Module>) {
            self.id = id
            self.modules = modules
        }
    }

    /// The address of the service, with `http:` or `https:`.
    public let service: String
    /// The enabled client identifiers, ordered by identifier.
    public let clients: [Client]
    /// The expiry date, to the second; `nil` for a license that does not expire.
    public let expires: Date?

    /// Creates a license.
    ///
    /// - Parameters:
    ///   - service: The address of the service.
    ///   - clients: The enabled client identifiers.
    ///   - expires: The expiry date, which is rounded down to seconds; `nil` for a license that does not expire.
    /// - Throws: `licenseInvalid` for an invalid address, without clients, and for a client that is named twice.
    public init(service: String, clients: [Client], expires: Date? = nil) throws(EarshotError) {
        guard let url = URL(string: service), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else {
            throw EarshotError(
                .licenseInvalid,
                "\"\(service.prefix(80))\" is no address of a service: begin with http:// or https://."
            )
        }
        guard !clients.isEmpty, Set(clients.map(\.id)).count == clients.count, clients.allSatisfy({ !$0.id.isEmpty })
        else {
            throw EarshotError(
                .licenseInvalid,
                "A license must name at least one client, each once: correct the clients."
            )
        }
        self.service = service
        self.clients = clients.sorted { $0.id < $1.id }
        self.expires = expires.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
    }

    /// Returns the kinds of queries that a client is enabled for; empty for a client that the license does not name.
    public func modules(of client: String) -> Set<Registration.Module> {
        clients.first { $0.id == client }?.modules ?? []
    }

    /// Checks that the license has not expired at an instant.
    ///
    /// - Throws: `licenseInvalid` if it has expired.
    public func check(at date: Date) throws(EarshotError) {
        if let expires, date >= expires {
            throw EarshotError(
                .licenseInvalid,
                "The license ended on \(Self.text(of: expires)): ask the operator of \(service) for a new one."
            )
        }
    }
}

// MARK: - Text

extension License {
    private static let format = "earshot-licence-1"
    /// The longest text that is read, in bytes.
    private static let sizeLimit = 1 << 16

    private struct Content: Codable {
        var format: String
        var service: String
        var clients: [Client]
        var expires: String?
        var check: String?
    }

    /// The license as JSON text with a checksum.
    public var text: String {
        var content = Content(
            format: Self.format,
            service: service,
            clients: clients,
            expires: expires.map(Self.text(of:))
        )
        content.check = Self.checksum(content)
        // Texts and lists of texts can always be written.
        return ((try? JSONEncoder.sorted(isPretty: true).text(content)) ?? "") + "\n"
    }

    /// Parses the text of a license. Makes no request.
    ///
    /// - Parameter text: The contents of a license file.
    /// - Throws: `licenseInvalid` if the text is not a license of this version, or was changed.
    public init(text: String) throws(EarshotError) {
        guard text.utf8.count <= Self.sizeLimit,
            let content = try? JSONDecoder().decode(Content.self, from: Data(text.utf8))
        else { throw Self.invalid("is none, or is damaged") }
        guard content.format == Self.format else {
            throw Self.invalid("has the format \"\(content.format.prefix(40))\", and this version reads \(Self.format)")
        }
        guard let check = content.check, check == Self.checksum(content) else {
            throw Self.invalid("was changed: its check sum does not fit")
        }
        var expires: Date?
        if let text = content.expires {
            guard let date = try? Date(text, strategy: .iso8601) else {
                throw Self.invalid("has an end that is no date")
            }
            expires = date
        }
        try self.init(service: content.service, clients: content.clients, expires: expires)
    }

    private static func invalid(_ why: String) -> EarshotError {
        EarshotError(.licenseInvalid, "The license \(why): use the file as the operator gave it.")
    }

    private static func text(of date: Date) -> String { date.ISO8601Format() }

    /// A check sum over what the license says, whatever its blanks and the order of its names.
    private static func checksum(_ content: Content) -> String {
        var said = [content.format, content.service, content.expires ?? ""]
        for client in content.clients.sorted(by: { $0.id < $1.id }) {
            said.append(client.id)
            said += client.modules.map(\.rawValue).sorted()
        }
        // Each text with its length, so that no two lists give the same bytes.
        let bytes = said.flatMap { text in Array("\(text.utf8.count):".utf8) + Array(text.utf8) }
        return CRC32C.checksum(bytes).hexadecimal
    }
}
