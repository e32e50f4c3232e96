/// A batch of uses of a day. A store adds it once, however often it is sent, so it can be sent again if the answer was
/// lost.
public struct UsageBatch: Hashable, Sendable {
    /// The unique name of the process that counted the uses.
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
