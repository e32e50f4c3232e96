public import Foundation

/// A client of a service (an application), as the service stores it: with only a digest of its secret.
public struct ServiceClient: Hashable, Sendable, Codable {
    /// The public part of the client identifier.
    public let id: String
    /// The SHA-256 digest of the secret part of the client identifier.
    public var tagDigest: Data
    /// The operator's name for the client.
    public var name: String
    /// The content that the client may receive.
    public var entitlements: Set<Entitlement>
    /// The number of recognitions a day of all its users together; `nil` for no limit.
    public var quota: Int?
    /// The number of recognitions a day of each of its users; `nil` for no limit.
    public var userQuota: Int?
    /// The largest number of users that it may register; `nil` for no limit.
    public var userLimit: Int?
    /// The kinds of queries that the client may make.
    public var modules: Set<Registration.Module>
    /// The sources that are searched for broadcasts, in this order. The search ends at the first source with a match.
    public var searchOrder: [BroadcastAnswer.Source]
    /// The rights beyond recognition.
    public var rights: Set<ClientRight>
    /// `true` if the client may make requests.
    public var isEnabled: Bool
    /// The time before which issued tokens are invalid; `nil` if none were revoked.
    public var tokensEnded: Date?
    /// The time at which the client was created.
    public let created: Date

    /// Creates an enabled client that may receive all content, without limits and without rights.
    public init(id: String, tagDigest: Data, name: String, created: Date) {
        self.id = id
        self.tagDigest = tagDigest
        self.name = name
        self.created = created
        entitlements = Set(Entitlement.allCases)
        modules = Set(Registration.Module.allCases)
        searchOrder = Self.standardOrder
        rights = []
        isEnabled = true
    }

    /// The default order of sources: the archive, then channels, then music.
    public static let standardOrder: [BroadcastAnswer.Source] = [.archive, .television, .music]
}

/// A user of a client application, as the service stores it.
public struct ServiceUser: Hashable, Sendable, Codable {
    /// The identifier of the user.
    public let id: String
    /// The identifier of the client that registered the user.
    public let client: String
    /// The SHA-256 digest of the secret in the user's serialized form.
    public var secretDigest: Data
    /// The time at which the user was registered.
    public let created: Date
    /// The kinds of queries that the user was registered for; `nil` for all that the client may make.
    public var modules: Set<Registration.Module>?
    /// The version of the app that registered the user; `nil` if unknown.
    public var appVersion: String?
    /// The time at which the login was ended; `nil` while it is valid. A logged-out user gets no token until the app
    /// logs in again.
    public var loggedOut: Date?
    /// The time before which issued tokens are invalid; `nil` if none were revoked.
    public var tokensEnded: Date?

    /// Creates a user.
    public init(
        id: String,
        client: String,
        secretDigest: Data,
        created: Date,
        modules: Set<Registration.Module>? = nil,
        appVersion: String? = nil
    ) {
        self.id = id
        self.client = client
        self.secretDigest = secretDigest
        self.modules = modules
        self.appVersion = appVersion
        self.created = created
    }
}

/// An entry in the history of a user's recognitions that a service stores.
public struct UserHistoryEntry: Hashable, Sendable, Codable {
    /// The number of the entry, from 1 for each user. Numbers of removed entries are not reused.
    public let id: Int
    /// The time of the recognition.
    public let date: Date
    /// The kind of recording: `stream` or `file`.
    public let kind: String
    /// The best match of the recognition.
    public var match: MusicMatch
    /// The user's location; `nil` if it is not known, or must not be stored.
    public var place: HistoryPlace?

    /// Creates an entry.
    public init(id: Int, date: Date, kind: String, match: MusicMatch, place: HistoryPlace? = nil) {
        self.id = id
        self.date = date
        self.kind = kind
        self.match = match
        self.place = place
    }
}
