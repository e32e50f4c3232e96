public import EarshotRecognition
public import Foundation

/// Registers a user of an app.
package struct RegistrationRequest: Hashable, Sendable, Codable {
    /// The client identifier with its secret.
    package var client: String
    /// The version of the app: any text of 1 to 400 characters.
    package var appVersion: String
    /// The kinds of queries that the registration is for; all of the client's where they are left out.
    package var modules: [Registration.Module]?

    /// A request.
    package init(client: String, appVersion: String, modules: [Registration.Module]? = nil) {
        self.client = client
        self.appVersion = appVersion
        self.modules = modules
    }
}

/// A registration, as the service knows it.
public struct RegistrationRecord: Hashable, Sendable, Codable {
    /// The number of registrations that a client may make, and has made.
    public struct Quota: Hashable, Sendable, Codable {
        /// The largest number; `nil` for no limit.
        public var limit: Int?
        /// The number so far.
        public var used: Int
        /// The number left; `nil` for no limit.
        public var remaining: Int?

        /// A quota.
        package init(limit: Int?, used: Int) {
            self.limit = limit
            self.used = used
            remaining = limit.map { max(0, $0 - used) }
        }
    }

    /// The identifier of the user.
    public var id: String
    /// The registration that an app stores and sends with requests for tokens: a secret, sent only once.
    public var serialised: String?
    /// The client that registered, without its secret.
    public var client: String
    /// The kinds of queries that it is for.
    public var modules: [Registration.Module]
    /// The version of the app that registered.
    public var appVersion: String?
    /// The time of registration.
    public var created: Date
    /// The registrations of the client.
    public var registrations: Quota

    /// A registration.
    package init(
        id: String,
        serialised: String?,
        client: String,
        modules: [Registration.Module],
        appVersion: String?,
        created: Date,
        registrations: Quota
    ) {
        self.id = id
        self.serialised = serialised
        self.client = client
        self.modules = modules
        self.appVersion = appVersion
        self.created = created
        self.registrations = registrations
    }
}
