/// A batch of usage that is added to a day. A store adds it once, however often it is sent, so it can be sent again if
/// the response was lost.
public struct UsageBatch: Hashable, Sendable {
    /// The unique name of the process that counted the usage.
    public let writer: String
    /// The number of the batch, greater than that of the writer's previous batch.
    public let number: Int
    /// The day in UTC, such as `2026-01-31`.
    public let day: String
    /// The number of recognitions of each client or user, such as `client/12345678`; negative for returned ones.
    public let uses: [String: Int]

    /// Creates a batch.
    public init(writer: String, number: Int, day: String, uses: [String: Int]) {
        (self.writer, self.number, self.day, self.uses) = (writer, number, day, uses)
    }
}
