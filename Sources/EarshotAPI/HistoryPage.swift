package import EarshotRecognition

/// A page of a user's history, the latest entry first.
package struct HistoryPage: Hashable, Sendable, Codable {
    /// The entries of the page.
    package var entries: [UserHistoryEntry]
    /// The index of the first entry of the page in the whole history, from 0.
    package var offset: Int
    /// The number of entries in the whole history.
    package var total: Int

    /// Creates a page.
    package init(entries: [UserHistoryEntry], offset: Int, total: Int) {
        self.entries = entries
        self.offset = offset
        self.total = total
    }
}
