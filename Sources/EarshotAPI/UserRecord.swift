package import Foundation

/// A user of a client, as the service knows it.
package struct UserRecord: Hashable, Sendable, Codable {
    /// The identifier.
    package var id: String
    /// What an app keeps and shows with requests for tokens: a secret.
    package var serialised: String?
    /// When the user was registered.
    package var created: Date
    /// What the user may use.
    package var quota: Quota
    /// The name of the author who has logged in; `nil` for none, and where the user asks.
    package var author: String?

    /// What somebody may use, and has used.
    package struct Quota: Hashable, Sendable, Codable {
        /// Recognitions a day; `nil` if there is no limit.
        package var limit: Int?
        /// Recognitions since the day began, by UTC.
        package var used: Int
        /// When counting begins anew.
        package var resets: Date

        /// A quota.
        package init(limit: Int?, used: Int, resets: Date) {
            self.limit = limit
            self.used = used
            self.resets = resets
        }
    }

    /// A user.
    package init(id: String, serialised: String?, created: Date, quota: Quota) {
        self.id = id
        self.serialised = serialised
        self.created = created
        self.quota = quota
    }
}
