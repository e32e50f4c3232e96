package import EarshotRecognition

/// A part of a user's history, the latest first.
package struct HistoryPage: Hashable, Sendable, Codable {
    /// The records.
    package var entries: [UserHistoryEntry]
    /// The place of the first, counted from 0.
    package var offset: Int
    /// The number of entries of the whole history.
    package var total: Int

    /// A page.
    package init(entries: [UserHistoryEntry], offset: Int, total: Int) {
        self.entries = entries
        self.offset = offset
        self.total = total
    }
}
