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
    /// Recognitions a day of all its users together; nothing for no limit.
    public var quota: Int?
    /// Recognitions a day of each of its users; nothing for no limit.
    public var userQuota: Int?
    /// Whether it may change references.
    public var mayChangeReferences: Bool
    /// Whether it is served.
    public var isEnabled: Bool
    /// When it was made.
    public let created: Date

    /// A client that is entitled to everything, without limits.
    public init(id: String, tagDigest: Data, name: String, created: Date) {
        self.id = id
        self.tagDigest = tagDigest
        self.name = name
        self.created = created
        entitlements = Set(Entitlement.allCases)
        mayChangeReferences = false
        isEnabled = true
    }
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

    /// A user.
    public init(id: String, client: String, secretDigest: Data, created: Date) {
        self.id = id
        self.client = client
        self.secretDigest = secretDigest
        self.created = created
    }
}

/// What a service recognised for a user.
public struct UserHistoryEntry: Hashable, Sendable, Codable {
    /// Counted from 1 for each user; never used again.
    public let id: Int
    /// When.
    public let date: Date
    /// How: `stream` or `file`.
    public let kind: String
    /// What it was.
    public let match: MusicMatch

    /// An entry.
    public init(id: Int, date: Date, kind: String, match: MusicMatch) {
        self.id = id
        self.date = date
        self.kind = kind
        self.match = match
    }
}
