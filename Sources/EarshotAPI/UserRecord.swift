package import Foundation

/// A user of a client, as the service knows it.
package struct UserRecord: Hashable, Sendable, Codable {
    /// The identifier of the user.
    package var id: String
    /// The user in the form that an app stores and sends in token requests: a secret. Sent only in the response to the
    /// registration; `nil` in others.
    package var serialised: String?
    /// The time at which the user was registered.
    package var created: Date
    /// The quota of recognitions of the user.
    package var quota: Quota
    /// The name of the author who has logged in; `nil` if none has, or if the user makes the request.
    package var author: String?

    /// A daily limit of recognitions, and the number used.
    package struct Quota: Hashable, Sendable, Codable {
        /// The number of recognitions a day; `nil` for no limit.
        package var limit: Int?
        /// The number of recognitions since the day began in UTC.
        package var used: Int
        /// The time at which the number starts again at 0.
        package var resets: Date

        /// Creates a quota.
        package init(limit: Int?, used: Int, resets: Date) {
            self.limit = limit
            self.used = used
            self.resets = resets
        }
    }

    /// Creates a record without an author.
    package init(id: String, serialised: String?, created: Date, quota: Quota) {
        self.id = id
        self.serialised = serialised
        self.created = created
        self.quota = quota
    }
}
