/// The number of recognitions of a client or a user on one day.
public struct UsageCount: Hashable, Sendable, Codable {
    /// The client or the user, such as `client/12345678`.
    public let subject: String
    /// The day in UTC, such as `2026-01-31`.
    public let day: String
    /// The number of recognitions on the day.
    public let count: Int

    /// Creates a count.
    public init(subject: String, day: String, count: Int) {
        self.subject = subject
        self.day = day
        self.count = count
    }
}
