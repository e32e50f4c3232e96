/// A request to reserve recognitions of a day's quota, so that a node of a service need not access the store for each.
public struct UsageRequest: Hashable, Sendable {
    /// A node reserves the quota that is left divided by this number at a time: the last recognitions are reserved one
    /// by one, and a node that ends without returning the rest loses less than 1 %.
    public static let divisor = 256

    /// The client or the user, such as `client/12345678`.
    public let subject: String
    /// The day in UTC, such as `2026-01-31`.
    public let day: String
    /// The quota: the largest number of recognitions on the day.
    public let limit: Int
    /// The smallest number of recognitions that the request needs.
    public let least: Int
    /// The number of recognitions wanted. More are reserved if the fraction of the quota that is left is greater.
    public let most: Int
    /// A unique name of the request. A request whose response was lost is repeated under its name and reserves nothing
    /// twice. `nil` for a request that is not repeated.
    public let id: String?

    /// Creates a request; `nil` for the name of one that is not repeated.
    public init(subject: String, day: String, limit: Int, least: Int, most: Int, id: String? = nil) {
        (self.subject, self.day, self.limit, self.least, self.most) = (subject, day, limit, least, most)
        self.id = id
    }

    /// Returns the number of recognitions to reserve after the given number of used ones: ``least`` or more; 0 if fewer
    /// are left.
    public func taken(after used: Int) -> Int {
        let left = limit - used
        return left < least ? 0 : min(left, max(most, left / Self.divisor))
    }
}
