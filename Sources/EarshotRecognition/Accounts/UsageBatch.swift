/// Uses of a day that are added to a store once, however often that is asked for: whoever got no answer asks again.
public struct UsageBatch: Hashable, Sendable {
    /// The name of whoever counted them, which nobody else has.
    public let writer: String
    /// The number of the batch, greater than that of the writer's batch before.
    public let number: Int
    /// The day by UTC, as `2026-01-31`.
    public let day: String
    /// The number of uses of each client or user: `client/12345678`. Below zero for uses that are given back.
    public let uses: [String: Int]

    /// Creates a batch.
    public init(writer: String, number: Int, day: String, uses: [String: Int]) {
        (self.writer, self.number, self.day, self.uses) = (writer, number, day, uses)
    }
}
