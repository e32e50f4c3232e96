public import EarshotRecognition
public import Foundation

/// A request to register a user of an app.
package struct RegistrationRequest: Hashable, Sendable, Codable {
    /// The client identifier of the app, with its secret tag.
    package var client: String
    /// The version of the app: any text of 1 to 400 characters.
    package var appVersion: String
    /// The kinds of queries that the registration is for; `nil` for all that the client may make.
    package var modules: [Registration.Module]?

    /// Creates a request.
    package init(client: String, appVersion: String, modules: [Registration.Module]? = nil) {
        self.client = client
        self.appVersion = appVersion
        self.modules = modules
    }
}

/// The service's record of a registered user.
public struct RegistrationRecord: Hashable, Sendable, Codable {
    /// The quota of registrations of a client.
    public struct Quota: Hashable, Sendable, Codable {
        /// The largest number of registrations; `nil` for no limit.
        public var limit: Int?
        /// The number of registrations so far.
        public var used: Int
        /// The number of registrations that are left; `nil` for no limit.
        public var remaining: Int?

        /// Creates a quota.
        package init(limit: Int?, used: Int) {
            self.limit = limit
            self.used = used
            remaining = limit.map { max(0, $0 - used) }
        }
    }

    /// The identifier of the user.
    public var id: String
    /// The user in the form that an app stores and sends in token requests: a secret. Sent only in the response to the
    /// registration; `nil` in others.
    public var serialised: String?
    /// The identifier of the client that registered the user, without its secret.
    public var client: String
    /// The kinds of queries that the registration is for.
    public var modules: [Registration.Module]
    /// The version of the app that registered the user; `nil` if unknown.
    public var appVersion: String?
    /// The time at which the user was registered.
    public var created: Date
    /// The quota of registrations of the client.
    public var registrations: Quota

    /// Creates a record.
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
