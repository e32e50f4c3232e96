public import EarshotCore
import Foundation

/// A user's registration with a service: what an app keeps, so that it does not register anew at every start.
///
/// Registering anew each time uses up the registrations that the operator grants a client identifier. Keep
/// ``serialized`` and make the registration of it again; that needs no network.
public struct Registration: Hashable, Sendable {
    /// A kind of queries that a registration is for.
    public enum Module: String, Hashable, Sendable, Codable, CaseIterable {
        /// Continuous recognition, with works, programmes and channels.
        case monitoring
        /// Recognition and search of music.
        case music
    }

    /// The kinds of queries that it is for.
    public let modules: Set<Module>
    /// The service's address; `nil` for use without a service.
    public let service: String?
    /// The client that registered, without its secret part; `nil` for use without a service.
    public let client: String?
    /// The user as the service wrote it, a secret of the user; `nil` for use without a service.
    public let user: String?

    /// A registration that a service gave.
    ///
    /// - Parameters:
    ///   - modules: The kinds of queries that it is for.
    ///   - service: The service's address.
    ///   - client: The client that registered, without its secret part.
    ///   - user: The user as the service wrote it.
    public init(modules: Set<Module>, service: String, client: String, user: String) {
        self.modules = modules
        self.service = service
        self.client = client
        self.user = user
    }

    private init(local modules: Set<Module>) {
        self.modules = modules
        (service, client, user) = (nil, nil, nil)
    }

    /// A registration for the use of local catalogs alone; no service is asked.
    public static let local = Registration(local: Set(Module.allCases))

    /// Makes sure that the registration is for a kind of queries.
    ///
    /// - Throws: `registrationMismatch` when it is not.
    public func check(_ module: Module) throws(EarshotError) {
        guard modules.contains(module) else {
            let names = modules.map(\.rawValue).sorted().joined(separator: " and ")
            throw EarshotError(
                .registrationMismatch,
                "The registration is for \(names), not for \(module.rawValue): use the one that was made for it."
            )
        }
    }
}

// MARK: - Text

extension Registration {
    private static let prefix = "earshot-registration-1"

    private struct Content: Codable {
        var modules: [Module]
        var service: String?
        var client: String?
        var user: String?
    }

    /// The registration as one line of text, with a checksum. It contains the user's secret, but not the client's.
    public var serialized: String {
        let content = Content(
            modules: modules.sorted { $0.rawValue < $1.rawValue },
            service: service,
            client: client,
            user: user
        )
        // Texts and a list of names can always be written.
        let json = (try? JSONEncoder.sorted().encode(content)) ?? Data()
        let body = Self.prefix + ":" + json.hexadecimal
        return body + ":" + Self.checksum(body)
    }

    /// The registration of its text. No service is asked.
    ///
    /// - Throws: `registrationInvalid` if the text was changed, or was written by a later version.
    public init(serialized text: String) throws(EarshotError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.prefix else {
            throw Self.invalid("is none of this version")
        }
        guard String(parts[2]) == Self.checksum("\(parts[0]):\(parts[1])"),
            let json = [UInt8](hexadecimal: String(parts[1])),
            let content = try? JSONDecoder().decode(Content.self, from: Data(json))
        else {
            throw Self.invalid("is damaged")
        }
        modules = Set(content.modules)
        (service, client, user) = (content.service, content.client, content.user)
    }

    private static func invalid(_ why: String) -> EarshotError {
        EarshotError(
            .registrationInvalid,
            "The stored registration \(why): register again, and store the new registration."
        )
    }

    private static func checksum(_ text: String) -> String { CRC32C.checksum(Array(text.utf8)).hexadecimal }
}
