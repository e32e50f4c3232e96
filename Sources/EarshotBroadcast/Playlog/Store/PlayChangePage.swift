/// Changes behind a number, in order.
public struct PlayChangePage: Hashable, Sendable {
    /// The changes.
    public var changes: [PlayChange]
    /// `true` if there are more behind them.
    public var hasMore: Bool
    /// `true` if changes after the requested number were removed: the reader has missed some, and must read the plays
    /// themselves.
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

/// The number of records of each kind in a log.
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

/// The number of records removed from a log.
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
