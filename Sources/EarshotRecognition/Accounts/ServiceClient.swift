public import Foundation

/// An application that a service serves, as the service keeps it: its secret only as a digest.
public struct ServiceClient: Hashable, Sendable, Codable {
    /// The first part of its identifier.
    public let id: String
    /// The SHA-256 digest of the second, secret part.
    public var tagDigest: Data
    /// What the operator calls it.
    public var name: String
    /// What it is entitled to.
    public var entitlements: Set<Entitlement>
    /// Recognitions a day of all its users together; `nil` for no limit.
    public var quota: Int?
    /// Recognitions a day of each of its users; `nil` for no limit.
    public var userQuota: Int?
    /// How many users it may register; `nil` for no limit.
    public var userLimit: Int?
    /// The kinds of queries that it is served.
    public var modules: Set<Registration.Module>
    /// Where is looked for what is on, in this order; the first place where something is found counts.
    public var searchOrder: [BroadcastAnswer.Source]
    /// The rights beyond asking.
    public var rights: Set<ClientRight>
    /// `true` if it is served.
    public var isEnabled: Bool
    /// The time before which its tokens were issued that are worth nothing any more; `nil` if none were ended.
    public var tokensEnded: Date?
    /// When it was made.
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

/// Somebody who uses an application, as a service keeps it.
public struct ServiceUser: Hashable, Sendable, Codable {
    /// The identifier.
    public let id: String
    /// The client that registered the user.
    public let client: String
    /// The SHA-256 digest of the secret in the user's serialised form.
    public var secretDigest: Data
    /// When the user was registered.
    public let created: Date
    /// The kinds of queries that the user was registered for; `nil` for all of the client's.
    public var modules: Set<Registration.Module>?
    /// The version of the app that registered the user.
    public var appVersion: String?
    /// When its log-in was ended; `nil` while it holds. Such a user gets no token until the app logs in again.
    public var loggedOut: Date?
    /// The time before which its tokens were issued that are worth nothing any more; `nil` if none were ended.
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

/// What a service recognized for a user.
public struct UserHistoryEntry: Hashable, Sendable, Codable {
    /// Counted from 1 for each user; never used again.
    public let id: Int
    /// When.
    public let date: Date
    /// How: `stream` or `file`.
    public let kind: String
    /// What it was.
    public var match: MusicMatch
    /// Where the user was; `nil` if that is not known, or may not be.
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
