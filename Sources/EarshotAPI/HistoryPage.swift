public import EarshotRecognition

/// A part of a user's history, the latest first.
public struct HistoryPage: Hashable, Sendable, Codable {
    /// The records.
    public var entries: [UserHistoryEntry]
    /// The place of the first, counted from 0.
    public var offset: Int
    /// How many there are in all.
    public var total: Int

    /// A page.
    public init(entries: [UserHistoryEntry], offset: Int, total: Int) {
        self.entries = entries
        self.offset = offset
        self.total = total
    }
}
