/// Changes behind a number, in order.
public struct PlayChangePage: Hashable, Sendable {
    /// The changes.
    package var changes: [PlayChange]
    /// Whether there are more behind them.
    package var hasMore: Bool
    /// Whether changes between the number asked for and the first one here were removed: whoever follows has missed some, and
    /// reads the plays themselves.
    package var isIncomplete: Bool

    /// A page. Stores make them.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - hasMore: Whether there are more behind them.
    ///   - isIncomplete: Whether some before them were removed.
    package init(changes: [PlayChange], hasMore: Bool, isIncomplete: Bool) {
        self.changes = changes
        self.hasMore = hasMore
        self.isIncomplete = isIncomplete
    }
}

/// How much a log holds.
public struct PlaylogCounts: Hashable, Sendable, Codable {
    /// Plays.
    package var plays = 0
    /// Of these, provisional ones.
    package var open = 0
    /// Gaps.
    package var gaps = 0
    /// Changes that can still be read.
    package var changes = 0
    /// The number of the last change ever; 0 for none.
    package var lastSequence = 0

    /// Nothing.
    package init() {}
}

/// What was removed from a log.
public struct PlaylogRemoval: Hashable, Sendable, Codable {
    /// Plays.
    package var plays = 0
    /// Gaps.
    package var gaps = 0
    /// Changes.
    package var changes = 0

    /// Nothing.
    package init() {}
}
