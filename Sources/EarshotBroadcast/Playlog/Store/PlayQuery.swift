public import EarshotCore
public import EarshotMusic
public import Foundation

/// A query for plays. Empty criteria match all.
public struct PlayQuery: Hashable, Sendable {
    /// The channels; empty for all.
    public var channels: Set<EntityID<BroadcastChannel>>
    /// The references; empty for all.
    public var references: Set<ReferenceID>
    /// The kinds; empty for all.
    public var kinds: Set<PlayKind>
    /// The state; `nil` for all.
    public var state: PlayState?
    /// The interval in which plays were heard at least in part; `nil` for all times. A play without a duration matches
    /// if it begins in it.
    public var span: Range<Date>?
    /// `true` to return the newest first.
    public var isNewestFirst: Bool

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - channels: The channels; empty for all.
    ///   - span: The interval in which plays were heard at least in part.
    ///   - references: The references; empty for all.
    ///   - kinds: The kinds; empty for all.
    ///   - state: The state; `nil` for all.
    ///   - isNewestFirst: `true` to return the newest first.
    public init(
        channels: Set<EntityID<BroadcastChannel>> = [],
        span: Range<Date>? = nil,
        references: Set<ReferenceID> = [],
        kinds: Set<PlayKind> = [],
        state: PlayState? = nil,
        isNewestFirst: Bool = false
    ) {
        self.channels = channels
        self.span = span
        self.references = references
        self.kinds = kinds
        self.state = state
        self.isNewestFirst = isNewestFirst
    }

    /// Returns `true` if a record matches.
    public func contains(_ record: PlayRecord) -> Bool {
        guard channels.isEmpty || channels.contains(record.channel.id),
            references.isEmpty || record.referenceID.map(references.contains) == true,
            kinds.isEmpty || kinds.contains(record.kind), state == nil || state == record.state
        else { return false }
        return containsTime(record.start, record.end)
    }

    /// Returns `true` if a gap matches by channel and time; a gap without an end is unlimited.
    public func contains(_ gap: StreamGap) -> Bool {
        guard channels.isEmpty || channels.contains(gap.channel.id) else { return false }
        return containsTime(gap.start, gap.end ?? PlaylogTime.date(PlaylogTime.range.upperBound))
    }

    /// Returns `true` if an interval matches by channel and time.
    public func contains(_ heard: DetectedInterval) -> Bool {
        guard channels.isEmpty || channels.contains(heard.channel.id) else { return false }
        return containsTime(heard.start, heard.end)
    }

    private func containsTime(_ start: Date, _ end: Date) -> Bool {
        guard let span else { return true }
        return start < span.upperBound && (end > span.lowerBound || start >= span.lowerBound)
    }
}

/// A position in the order of plays or gaps, after the last item of a page. Its text can be passed to clients and
/// parsed again.
public struct PlayCursor: Hashable, Sendable, Codable, LosslessStringConvertible {
    /// The start of the last item, in milliseconds since 1970.
    package let start: Int64
    /// The identifier of the last item.
    public let id: String

    package init(start: Date, id: String) {
        self.start = PlaylogTime.bounded(start)
        self.id = id
    }

    /// Parses a cursor; `nil` if the text is not one.
    public init?(_ description: String) {
        let parts = description.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let start = Int64(parts[0]), PlaylogTime.range.contains(start),
            parts[1].utf8.count <= PlayRecord.maximumIdentifierSize
        else { return nil }
        self.start = start
        id = String(parts[1])
    }

    /// The text form, which ``init(_:)`` parses.
    public var description: String { "\(start).\(id)" }
}

/// One page of results.
public struct PlayPage<Item: Hashable & Sendable>: Hashable, Sendable {
    /// The results, by start and identifier.
    public var items: [Item]
    /// The cursor of the next page; `nil` if this is the last one.
    public var next: PlayCursor?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - items: The results.
    ///   - next: The cursor of the next page; `nil` for the last one.
    public init(items: [Item], next: PlayCursor?) {
        self.items = items
        self.next = next
    }
}
