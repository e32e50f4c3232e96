public import EarshotCore
import Foundation

/// A user's registration with a service, which an app stores so that it does not register again at every start.
///
/// Each registration uses up the quota that the operator grants a client identifier. Store ``serialized`` and restore
/// the registration from it; that makes no request.
public struct Registration: Hashable, Sendable {
    /// A kind of queries that a registration is for.
    public enum Module: String, Hashable, Sendable, Codable, CaseIterable {
        /// Continuous recognition of broadcasts, with works, programs and channels.
        case monitoring
        /// Recognition and search of music.
        case music
    }

    /// The kinds of queries that the registration is for.
    public let modules: Set<Module>
    /// The address of the service; `nil` for use without a service.
    public let service: String?
    /// The identifier of the client that registered, without its secret; `nil` for use without a service.
    public let client: String?
    /// The user in the service's serialized form, a secret of the user; `nil` for use without a service.
    public let user: String?

    /// Creates a registration from the response of a service.
    ///
    /// - Parameters:
    ///   - modules: The kinds of queries that the registration is for.
    ///   - service: The address of the service.
    ///   - client: The identifier of the client that registered, without its secret.
    ///   - user: The user in the service's serialized form.
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

    /// A registration for all kinds of queries with local catalogs, without a service.
    public static let local = Registration(local: Set(Module.allCases))

    /// Checks that the registration is for a kind of queries.
    ///
    /// - Throws: `registrationMismatch` if it is not.
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

    /// Restores a registration from its ``serialized`` text. Makes no request.
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
