/// Uses that a node of a service takes from the quota of a day before they are used, so that it need not ask for each.
public struct UsageRequest: Hashable, Sendable {
    /// A node takes this fraction of the uses left at a time: the last uses are taken one by one, and a node that ends
    /// without returning its uses loses less than one in a hundred.
    public static let divisor = 256

    /// The client or the user: `client/12345678`.
    public let subject: String
    /// The day by UTC, as `2026-01-31`.
    public let day: String
    /// The most uses on the day.
    public let limit: Int
    /// The fewest uses that are of any use.
    public let least: Int
    /// The number of uses wanted. More are taken if the fraction of the uses left is greater.
    public let most: Int
    /// A unique name of the request. A request whose answer was lost is repeated under its name and takes nothing
    /// twice. `nil` for a request that is not repeated.
    public let id: String?

    /// Creates a request.
    public init(subject: String, day: String, limit: Int, least: Int, most: Int, id: String? = nil) {
        (self.subject, self.day, self.limit, self.least, self.most) = (subject, day, limit, least, most)
        self.id = id
    }

    /// The number of uses to take after the given number: ``least`` or more; 0 if fewer are left.
    public func taken(after used: Int) -> Int {
        let left = limit - used
        return left < least ? 0 : min(left, max(most, left / Self.divisor))
    }
}
