package import Foundation

/// A user of a client, as the service knows it.
package struct UserRecord: Hashable, Sendable, Codable {
    /// The identifier.
    package var id: String
    /// The user's secret, which an app keeps and shows with requests for tokens.
    package var serialised: String?
    /// The time of registration.
    package var created: Date
    /// The quota of the user.
    package var quota: Quota
    /// The name of the author who has logged in; `nil` for none, and where the user asks.
    package var author: String?

    /// A daily limit, and how much of it is used.
    package struct Quota: Hashable, Sendable, Codable {
        /// Recognitions a day; `nil` if there is no limit.
        package var limit: Int?
        /// Recognitions since the day began, by UTC.
        package var used: Int
        /// The time at which counting starts again.
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
