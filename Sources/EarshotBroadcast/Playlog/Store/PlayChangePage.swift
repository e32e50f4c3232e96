/// Changes after a number, in order.
public struct PlayChangePage: Hashable, Sendable {
    /// The changes.
    public var changes: [PlayChange]
    /// `true` if there are more changes after them.
    public var hasMore: Bool
    /// `true` if changes after the requested number were removed. The reader has missed some, and must read the plays
    /// themselves.
    public var isIncomplete: Bool

    /// Creates a page. Only stores do so.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - hasMore: `true` if there are more changes after them.
    ///   - isIncomplete: `true` if changes after the requested number were removed.
    public init(changes: [PlayChange], hasMore: Bool, isIncomplete: Bool) {
        self.changes = changes
        self.hasMore = hasMore
        self.isIncomplete = isIncomplete
    }
}

/// The number of records of each kind in a log.
public struct PlaylogCounts: Hashable, Sendable, Codable {
    /// The number of plays.
    public var plays = 0
    /// The number of provisional plays.
    public var open = 0
    /// The number of gaps.
    public var gaps = 0
    /// The number of changes that can still be read.
    public var changes = 0
    /// The number of the last change ever; 0 if there was none.
    public var lastSequence = 0

    /// Creates counts of 0.
    public init() {}
}

/// The number of records removed from a log.
public struct PlaylogRemoval: Hashable, Sendable, Codable {
    /// The number of plays.
    public var plays = 0
    /// The number of gaps.
    public var gaps = 0
    /// The number of changes.
    public var changes = 0

    /// Creates counts of 0.
    public init() {}
}
