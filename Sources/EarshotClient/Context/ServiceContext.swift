public import EarshotAPI
public import EarshotCore
public import EarshotRecognition
public import Foundation
import NIOHTTP1

/// The entry point of an app: holds the license from the operator of a service, or none for the use of local catalogs
/// only.
///
/// ```swift
/// let context = try ServiceContext(license: text)
/// let registration = try await context.loadOrRegister(
///     FileRegistrationStore(file), client: try ClientIdentifier(identifier), appVersion: "1.0")
/// let monitor = try Monitor(registration: registration, store: store, service: try context.service(registration))
/// ```
///
/// Services of one context share their connections and authenticate themselves.
public struct ServiceContext: Sendable {
    /// The license; `nil` for the use of local catalogs only.
    public let license: License?
    private let base: HTTPRecognitionService?

    /// A context without a service: it never uses a network.
    public static let local = ServiceContext()

    private init() { (license, base) = (nil, nil) }

    /// Creates a context from a license. Makes no request.
    ///
    /// - Parameters:
    ///   - text: The contents of the license file.
    ///   - options: The time limits and retries of requests.
    ///   - date: The instant at which the license must be valid. Default: now.
    /// - Throws: `licenseInvalid` if the license is damaged, has ended, or names no service.
    public init(
        license text: String,
        options: HTTPRecognitionService.Options = HTTPRecognitionService.Options(),
        at date: Date = Date()
    ) throws(EarshotError) {
        let license = try License(text: text)
        try license.check(at: date)
        guard let url = URL(string: license.service), let client = license.clients.first else {
            throw EarshotError(.licenseInvalid, "The license names no service: ask the operator for another.")
        }
        self.license = license
        let configuration: ClientConfiguration
        do throws(EarshotError) {
            configuration = ClientConfiguration(try ClientIdentifier(registered: client.id))
        } catch {
            throw EarshotError(
                .licenseInvalid,
                "A client identifier in the license is malformed: ask the operator for another license.",
                cause: error
            )
        }
        base = HTTPRecognitionService(url, configuration: configuration, options: options)
    }

    // MARK: - Registrations

    /// Registers a new user with the service. Each registration counts toward the quota of the client, so store the
    /// result.
    ///
    /// - Parameters:
    ///   - client: The client identifier with its secret tag, from the operator.
    ///   - appVersion: The version of the app; any text that is not empty.
    ///   - modules: The kinds of queries that the registration is for.
    /// - Throws: Before a request: `configurationInvalid` for an empty version or no modules; `licenseInvalid` without
    ///   a license; `accessDenied` for a client or kind of query that the license does not enable. Then
    ///   `clientIdentifierRejected`, `quotaExceeded`, and the errors of a request.
    public func register(
        _ client: ClientIdentifier,
        appVersion: String,
        modules: Set<Registration.Module> = [.monitoring]
    ) async throws(EarshotError) -> Registration {
        guard !appVersion.isEmpty else {
            throw EarshotError(.configurationInvalid, "The version of the app is empty: give one.")
        }
        guard !modules.isEmpty else {
            throw EarshotError(
                .configurationInvalid,
                "A registration needs at least one kind of query: name one or more modules."
            )
        }
        let (license, service) = try enabled(client.id, modules)
        let request = RegistrationRequest(
            client: client.text,
            appVersion: appVersion,
            modules: modules.sorted { $0.rawValue < $1.rawValue }
        )
        let body: Data
        do {
            body = try ServiceAPI.encoder().encode(request)
        } catch {
            throw EarshotError(.internalError, "A request could not be encoded: please report this.", cause: error)
        }
        let answer = try service.value(
            RegistrationRecord.self,
            try await service.unauthorized(
                HTTPCall(.POST, path: "registrations", body: body, bodyType: "application/json")
            )
        )
        guard let user = answer.serialised else {
            throw EarshotError(
                .malformedResponse,
                "\(license.service) answered the registration without its text: try again."
            )
        }
        return Registration(modules: Set(answer.modules), service: license.service, client: answer.client, user: user)
    }

    /// Decodes a registration from its text. Makes no request, and does not count as a registration.
    ///
    /// - Throws: `registrationInvalid` for a damaged text, `registrationMismatch` for a registration with another
    ///   service, `licenseInvalid` without a license, `accessDenied` for a client or kind of query that the license
    ///   does not enable.
    public func restore(_ text: String) throws(EarshotError) -> Registration {
        let registration = try Registration(serialized: text)
        guard registration.user != nil else { return registration }
        guard registration.service == license?.service else {
            throw EarshotError(
                .registrationMismatch,
                "The registration is with \(registration.service ?? "no service"), and the license for \(license?.service ?? "none"): register again."
            )
        }
        _ = try enabled(registration.client ?? "", registration.modules)
        return registration
    }

    /// Returns the stored registration if it belongs to the service and the client and covers the modules. Otherwise
    /// registers a new user and stores the result.
    ///
    /// - Parameters:
    ///   - store: The store of the registration.
    ///   - client: The client identifier with its secret tag.
    ///   - appVersion: The version of the app.
    ///   - modules: The kinds of queries that the registration must cover.
    /// - Throws: `registrationInvalid` if the stored text is damaged; nothing is registered then. The errors of
    ///   ``register(_:appVersion:modules:)``, and the store's errors.
    public func loadOrRegister(
        _ store: any RegistrationStore,
        client: ClientIdentifier,
        appVersion: String,
        modules: Set<Registration.Module> = [.monitoring]
    ) async throws(EarshotError) -> Registration {
        if let text = try await store.registration() {
            do throws(EarshotError) {
                let kept = try restore(text)
                if kept.client == client.id, modules.isSubset(of: kept.modules) { return kept }
            } catch {
                // Each registration counts against the client: a store that damages texts would use up all of them unnoticed.
                if error.code == .registrationInvalid { throw error }
            }
        }
        let registration = try await register(client, appVersion: appVersion, modules: modules)
        try await store.keep(registration.serialized)
        return registration
    }

    // MARK: - Services

    /// Returns the service of the license, which makes requests as the registered user.
    ///
    /// - Throws: `registrationMismatch` for a registration with another service or with none.
    public func service(_ registration: Registration) throws(EarshotError) -> HTTPRecognitionService {
        guard let base, let client = registration.client, let user = registration.user,
            registration.service == license?.service
        else {
            throw EarshotError(
                .registrationMismatch,
                "The registration is not with the service of the license: register with ServiceContext.register."
            )
        }
        var configuration = ClientConfiguration(try ClientIdentifier(registered: client))
        configuration.user = user
        return HTTPRecognitionService(base, configuration)
    }

    /// Fetches the service's record of a registration, with the number of registrations that its client has left.
    ///
    /// - Throws: The errors of ``service(_:)``, `tokenRejected` if the service no longer knows the registration, and
    ///   the errors of a request.
    public func status(_ registration: Registration) async throws(EarshotError) -> RegistrationRecord {
        let service = try service(registration)
        return try service.value(
            RegistrationRecord.self,
            try await service.authorized(HTTPCall(.GET, path: "registrations/self"))
        )
    }

    private func enabled(
        _ client: String,
        _ modules: Set<Registration.Module>
    ) throws(EarshotError) -> (License, HTTPRecognitionService) {
        guard let license, let base else {
            throw EarshotError(
                .licenseInvalid,
                "There is no license: make the context with the one that the operator gave."
            )
        }
        let enabled = license.modules(of: client)
        guard modules.isSubset(of: enabled) else {
            let missing = modules.subtracting(enabled).map(\.rawValue).sorted().joined(separator: " and ")
            throw EarshotError(
                .accessDenied,
                "The license does not enable \(missing) for client \(client): use the client that it names, or ask the operator."
            )
        }
        return (license, base)
    }
}
