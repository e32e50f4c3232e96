public import Foundation

/// An application that a service serves, as the service keeps it: its secret only as a digest.
public struct ServiceClient: Hashable, Sendable, Codable {
    /// The first part of its identifier.
    public let id: String
    /// The SHA-256 digest of the second, secret part.
    public var tagDigest: Data
    /// The operator's name for the client.
    public var name: String
    /// The content that the client may receive.
    public var entitlements: Set<Entitlement>
    /// Recognitions a day of all its users together; `nil` for no limit.
    public var quota: Int?
    /// Recognitions a day of each of its users; `nil` for no limit.
    public var userQuota: Int?
    /// The largest number of users; `nil` for no limit.
    public var userLimit: Int?
    /// The kinds of queries that it is served.
    public var modules: Set<Registration.Module>
    /// The sources that are searched for broadcasts, in this order. The search ends at the first source with a match.
    public var searchOrder: [BroadcastAnswer.Source]
    /// The rights beyond asking.
    public var rights: Set<ClientRight>
    /// `true` if it is served.
    public var isEnabled: Bool
    /// Tokens issued before this time are invalid; `nil` if none were revoked.
    public var tokensEnded: Date?
    /// The time at which the client was created.
    public let created: Date

    /// A client that is entitled to everything, without limits and without rights.
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

    /// The archive, then channels, then music.
    public static let standardOrder: [BroadcastAnswer.Source] = [.archive, .television, .music]
}

/// A user of an application, as a service stores it.
public struct ServiceUser: Hashable, Sendable, Codable {
    /// The identifier.
    public let id: String
    /// The client that registered the user.
    public let client: String
    /// The SHA-256 digest of the secret in the user's serialized form.
    public var secretDigest: Data
    /// The time at which the user was registered.
    public let created: Date
    /// The kinds of queries that the user was registered for; `nil` for all of the client's.
    public var modules: Set<Registration.Module>?
    /// The version of the app that registered the user.
    public var appVersion: String?
    /// The time at which the login was ended; `nil` while it is valid. A logged-out user gets no token until the app
    /// logs in again.
    public var loggedOut: Date?
    /// Tokens issued before this time are invalid; `nil` if none were revoked.
    public var tokensEnded: Date?

    /// A user.
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

/// An entry in the history that a service keeps of a user's recognitions.
public struct UserHistoryEntry: Hashable, Sendable, Codable {
    /// Counted from 1 for each user; never used again.
    public let id: Int
    /// The time of the recognition.
    public let date: Date
    /// The kind of recording: `stream` or `file`.
    public let kind: String
    /// The match.
    public var match: MusicMatch
    /// The user's location; `nil` if it is not known, or must not be stored.
    public var place: HistoryPlace?

    /// An entry.
    public init(id: Int, date: Date, kind: String, match: MusicMatch, place: HistoryPlace? = nil) {
        self.id = id
        self.date = date
        self.kind = kind
        self.match = match
        self.place = place
    }
}
