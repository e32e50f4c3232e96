import EarshotAPI
public import EarshotCore
public import EarshotPieces
import Foundation
import Synchronization

/// Publishes musical pieces at a service, and opens those of others.
///
/// ```swift
/// var configuration = PieceClient.Configuration(
///     applicationIdentifier: "sketcher", apiKey: key, service: url, receiver: studio)
/// configuration.login = BrowserLogin { try await open($0) }
/// let client = try PieceClient.setUp(configuration)
/// let piece = try await client.drop(draft, providers)
/// ```
///
/// An app can have several clients, each with its own application identifier; ``default`` is the one from
/// ``setUp(_:)``. Requests go only to the service of the configuration.
public final class PieceClient: Sendable {
    private struct State {
        var parents: [PieceID] = []
        var logins: [String: FirstValue<String>] = [:]
    }

    /// The configuration of the client.
    public let configuration: Configuration
    /// The URL scheme of the addresses that open the app.
    public let scheme: PieceScheme
    /// `true` if the app may let its user take or choose a cover. `false` if a usage text for a permission is missing.
    public let canEditCover: Bool

    let service: HTTPRecognitionService
    private let identity: ClientConfiguration
    private let state = Mutex(State())

    /// Creates a client. Makes no request.
    ///
    /// - Throws: `setupInvalid` if a value is missing, cannot be used, or is not registered with the system; the
    ///   message names it.
    public init(_ configuration: Configuration) throws(EarshotError) {
        func required(_ value: String?, _ key: String, _ what: String) throws(EarshotError) -> String {
            guard let value, !value.allSatisfy(\.isWhitespace) else {
                throw EarshotError(
                    .setupInvalid,
                    "\(key) is missing: give the \(what) that the operator of the service gave for the app."
                )
            }
            return value
        }
        let application = try required(
            configuration.applicationIdentifier,
            "applicationIdentifier",
            "application identifier"
        )
        let key = try required(configuration.apiKey, "apiKey", "API key")
        let scheme = try PieceScheme(application: application)
        let identity: ClientConfiguration
        do {
            identity = try ClientConfiguration(clientIdentifier: key)
        } catch {
            // What is wrong with it is not told: a slip in a key still shows most of it.
            throw EarshotError(
                .setupInvalid,
                "apiKey has not the form ID-TAG of digits and letters: use it as the operator gave it."
            )
        }
        guard ["http", "https"].contains(configuration.service.scheme?.lowercased()),
            configuration.service.host?.isEmpty == false
        else {
            throw EarshotError(
                .setupInvalid,
                "service is \(configuration.service.absoluteString.prefix(120)): give an address with http:// or https://."
            )
        }
        guard configuration.manifest.opens(scheme: scheme.name) else {
            throw EarshotError(
                .setupInvalid,
                "The system does not open the app with addresses of \(scheme.name): register the scheme, "
                    + "in CFBundleURLTypes or as MimeType=x-scheme-handler/\(scheme.name) of a desktop entry."
            )
        }
        let missing = configuration.manifest.missingPermissionTexts
        canEditCover = missing.isEmpty
        if !missing.isEmpty {
            let keys = missing.map(\.rawValue).joined(separator: " and ")
            configuration.log?("pieces: covers cannot be edited, as \(keys) is missing in the app's manifest")
        }
        self.configuration = configuration
        self.scheme = scheme
        self.identity = identity
        var single = configuration.options
        // Repeating is the business of the client: it asks how far a part has come before it goes on.
        single.retry = .none
        service = HTTPRecognitionService(configuration.service, configuration: identity, options: single)
    }

    // MARK: - The client of an app

    private static let shared = Mutex<PieceClient?>(nil)

    /// Creates the ``default`` client of the app, in place of a previous one.
    ///
    /// - Throws: `setupInvalid` as ``init(_:)`` does; the previous client stays then.
    @discardableResult
    public static func setUp(_ configuration: Configuration) throws(EarshotError) -> PieceClient {
        let client = try PieceClient(configuration)
        shared.withLock { $0 = client }
        return client
    }

    /// The client that ``setUp(_:)`` created.
    ///
    /// - Throws: `notConfigured` before ``setUp(_:)``.
    public static var `default`: PieceClient {
        get throws(EarshotError) {
            guard let client = shared.withLock({ $0 }) else {
                throw EarshotError(.notConfigured, "Pieces are not set up: call PieceClient.setUp first.")
            }
            return client
        }
    }

    /// Forgets the client of the app, for tests.
    static func tearDown() { shared.withLock { $0 = nil } }

    // MARK: - What a draft begins with

    /// The pieces that were opened since the last drop, in order: the likely parents of the next draft.
    public var nextDraftParents: [PieceID] { state.withLock { $0.parents } }

    func opened(_ piece: PieceID) {
        state.withLock { state in
            guard !state.parents.contains(piece), state.parents.count < PieceDraft.mostParents else { return }
            state.parents.append(piece)
        }
    }

    func dropped() { state.withLock { $0.parents = [] } }

    // MARK: - Log-ins under way

    /// Waits for the address of a log-in.
    func expect(_ login: String, _ code: FirstValue<String>) { state.withLock { $0.logins[login] = code } }

    /// Waits no longer.
    func forget(_ login: String) { state.withLock { _ = $0.logins.removeValue(forKey: login) } }

    /// The log-in that an address belongs to; it is not expected again.
    func expected(_ login: String) -> FirstValue<String>? { state.withLock { $0.logins.removeValue(forKey: login) } }

    // MARK: - Requests

    /// Requests of the app itself.
    var asApp: PieceRequests { PieceRequests(service: service, retry: configuration.options.retry, isAuthorized: true) }

    /// Requests of nobody.
    var asNobody: PieceRequests {
        PieceRequests(service: service, retry: configuration.options.retry, isAuthorized: false)
    }

    /// Requests of a user.
    func requests(of account: PieceAccount) -> PieceRequests {
        var identity = identity
        identity.user = account.user
        return PieceRequests(
            service: HTTPRecognitionService(service, identity),
            retry: configuration.options.retry,
            isAuthorized: true
        )
    }

    /// The key of this client's stored user.
    var place: PieceTokenKey { PieceTokenKey(service: service.base, application: scheme.application) }
}
