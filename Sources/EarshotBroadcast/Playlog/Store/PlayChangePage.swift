/// Changes behind a number, in order.
public struct PlayChangePage: Hashable, Sendable {
    /// The changes.
    public var changes: [PlayChange]
    /// `true` if there are more behind them.
    public var hasMore: Bool
    /// `true` if changes between the number asked for and the first one here were removed: whoever follows has missed
    /// some, and reads the plays themselves.
    public var isIncomplete: Bool

    /// A page. Stores make them.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - hasMore: `true` if there are more behind them.
    ///   - isIncomplete: `true` if some before them were removed.
    public init(changes: [PlayChange], hasMore: Bool, isIncomplete: Bool) {
        self.changes = changes
        self.hasMore = hasMore
        self.isIncomplete = isIncomplete
    }
}

/// How much a log holds.
public struct PlaylogCounts: Hashable, Sendable, Codable {
    /// Plays.
    public var plays = 0
    /// Of these, provisional ones.
    public var open = 0
    /// Gaps.
    public var gaps = 0
    /// Changes that can still be read.
    public var changes = 0
    /// The number of the last change ever; 0 for none.
    public var lastSequence = 0

    /// Nothing.
    public init() {}
}

/// What was removed from a log.
public struct PlaylogRemoval: Hashable, Sendable, Codable {
    /// Plays.
    public var plays = 0
    /// Gaps.
    public var gaps = 0
    /// Changes.
    public var changes = 0

    /// Nothing.
    public init() {}
}
