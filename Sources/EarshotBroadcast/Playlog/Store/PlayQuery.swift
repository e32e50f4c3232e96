public import EarshotCore
public import EarshotMusic
public import Foundation

/// A query for plays. Empty criteria match all.
public struct PlayQuery: Hashable, Sendable {
    /// Of these channels only; none for all.
    public var channels: Set<EntityID<BroadcastChannel>>
    /// Of these references only; none for all.
    public var references: Set<ReferenceID>
    /// Of these kinds only; none for all.
    public var kinds: Set<PlayKind>
    /// In this state only.
    public var state: PlayState?
    /// Those that were heard within this span, if only in part; one without length, where it begins in it.
    public var span: Range<Date>?
    /// `true` if the newest come first.
    public var isNewestFirst: Bool

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - channels: Of these channels only.
    ///   - span: Those that were heard within this span.
    ///   - references: Of these references only.
    ///   - kinds: Of these kinds only.
    ///   - state: In this state only.
    ///   - isNewestFirst: `true` if the newest come first.
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

    /// Returns `true` if a record is meant.
    public func contains(_ record: PlayRecord) -> Bool {
        guard channels.isEmpty || channels.contains(record.channel.id),
            references.isEmpty || record.referenceID.map(references.contains) == true,
            kinds.isEmpty || kinds.contains(record.kind), state == nil || state == record.state
        else { return false }
        return containsTime(record.start, record.end)
    }

    /// Returns `true` if a gap matches, by channel and time; a gap without an end is unlimited.
    public func contains(_ gap: StreamGap) -> Bool {
        guard channels.isEmpty || channels.contains(gap.channel.id) else { return false }
        return containsTime(gap.start, gap.end ?? PlaylogTime.date(PlaylogTime.range.upperBound))
    }

    /// Returns `true` if a stretch is meant, by channel and time.
    public func contains(_ heard: DetectedInterval) -> Bool {
        guard channels.isEmpty || channels.contains(heard.channel.id) else { return false }
        return containsTime(heard.start, heard.end)
    }

    private func containsTime(_ start: Date, _ end: Date) -> Bool {
        guard let span else { return true }
        return start < span.upperBound && (end > span.lowerBound || start >= span.lowerBound)
    }
}

/// A place in the order of plays or gaps: behind the last one of a page. As text it may be given to others and comes back.
public struct PlayCursor: Hashable, Sendable, Codable, LosslessStringConvertible {
    /// The start of the last one, in milliseconds since 1970.
    package let start: Int64
    /// The identifier of the last one.
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

    /// The text.
    public var description: String { "\(start).\(id)" }
}

/// One page of results.
public struct PlayPage<Item: Hashable & Sendable>: Hashable, Sendable {
    /// The results, by start and identifier.
    public var items: [Item]
    /// The cursor of the next page; `nil` if this is the last one.
    public var next: PlayCursor?

    /// A page.
    ///
    /// - Parameters:
    ///   - items: The results.
    ///   - next: The cursor of the next page.
    public init(items: [Item], next: PlayCursor?) {
        self.items = items
        self.next = next
    }
}
