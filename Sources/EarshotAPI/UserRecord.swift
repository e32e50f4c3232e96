public import Foundation

/// A user of a client, as the service knows it.
public struct UserRecord: Hashable, Sendable, Codable {
    /// The identifier.
    public var id: String
    /// What an app keeps and shows with requests for tokens: a secret.
    public var serialised: String?
    /// When the user was registered.
    public var created: Date
    /// What the user may use.
    public var quota: Quota

    /// What somebody may use, and has used.
    public struct Quota: Hashable, Sendable, Codable {
        /// Recognitions a day; nothing where there is no limit.
        public var limit: Int?
        /// Recognitions since the day began, by UTC.
        public var used: Int
        /// When counting begins anew.
        public var resets: Date

        /// A quota.
        public init(limit: Int?, used: Int, resets: Date) {
            self.limit = limit
            self.used = used
            self.resets = resets
        }
    }

    /// A user.
    public init(id: String, serialised: String?, created: Date, quota: Quota) {
        self.id = id
        self.serialised = serialised
        self.created = created
        self.quota = quota
    }
}
