public import EarshotCore
public import EarshotMusic
public import Foundation

/// What was played on a day: totals by reference, channel and kind, and what was not heard.
///
/// A play that goes over midnight is counted once, on the day on which it begins; its seconds fall to both days, each its
/// share. All times are seconds.
public struct DailyReport: Hashable, Sendable, Codable {
    /// A reference, a kind or a channel added up.
    public struct Total: Hashable, Sendable, Codable {
        /// How many plays begin on the day.
        public var plays = 0
        /// How many seconds were played on the day.
        public var seconds = 0.0
        /// When the first of them began, which may be the day before.
        public var first: Date?
        /// When the last of them began.
        public var last: Date?
    }

    /// A channel on the day.
    public struct Channel: Hashable, Sendable, Codable {
        /// The channel.
        public var channel: PlayChannel
        /// How long it was heard: the time in which a monitor listened to it, less its gaps.
        public var heardSeconds: Double
        /// How long something that is known was heard; what overlaps counts once.
        public var identifiedSeconds: Double
        /// Its plays.
        public var total: Total

        /// The share of what was heard that is known, 0 to 1; `nil` if nothing was heard.
        public var identifiedShare: Double? { heardSeconds > 0 ? min(1, identifiedSeconds / heardSeconds) : nil }
    }

    /// A reference on the day.
    public struct Reference: Hashable, Sendable, Codable {
        /// The reference.
        public var id: ReferenceID
        /// What it is called, by its last play.
        public var title: String?
        /// Who plays.
        public var artist: String?
        /// The recording's code.
        public var isrc: String?
        /// The text that the operator gave.
        public var callerRef: String?
        /// On which channels, in the order of their identifiers.
        public var channels: [EntityID<BroadcastChannel>]
        /// Its plays.
        public var total: Total
    }

    /// A kind on the day.
    public struct Kind: Hashable, Sendable, Codable {
        /// The kind.
        public var kind: PlayKind
        /// Its plays.
        public var total: Total
    }

    /// The day.
    public let day: PlayDay
    /// The zone's identifier, as in `Europe/Vienna`.
    public let timeZone: String
    /// The first instant of the day.
    public let start: Date
    /// The end of the day, or of the part that the report covers.
    public let end: Date
    /// The channels asked for, and those that had plays or gaps, in the order of their identifiers.
    public let channels: [Channel]
    /// The references, most plays first.
    public let references: [Reference]
    /// The kinds, those known here first.
    public let kinds: [Kind]
    /// The gaps, as far as they lie in the day, by channel and start.
    public let gaps: [StreamGap]

    init(
        day: PlayDay,
        timeZone: TimeZone,
        span: Range<Date>,
        channels: [Channel],
        references: [Reference],
        kinds: [Kind],
        gaps: [StreamGap]
    ) {
        self.day = day
        self.timeZone = timeZone == .gmt ? "UTC" : timeZone.identifier
        (start, end) = (span.lowerBound, span.upperBound)
        (self.channels, self.references, self.kinds, self.gaps) = (channels, references, kinds, gaps)
    }

    /// All plays.
    public var total: Total { channels.reduce(into: Total()) { $0.add($1.total) } }

    /// How long the channels were heard together.
    public var heardSeconds: Double { channels.reduce(0) { $0 + $1.heardSeconds } }

    /// The share of what was heard that is known, 0 to 1; `nil` if nothing was heard.
    public var identifiedShare: Double? {
        let heard = heardSeconds
        return heard > 0 ? min(1, channels.reduce(0) { $0 + $1.identifiedSeconds } / heard) : nil
    }
}

extension DailyReport.Total {
    mutating func add(_ record: PlayRecord, in span: Range<Date>) {
        let play = DailyReport.Total(
            plays: span.contains(record.start) ? 1 : 0,
            seconds: record.playedDuration(in: span),
            first: record.start,
            last: record.start
        )
        add(play)
    }

    mutating func add(_ other: DailyReport.Total) {
        plays += other.plays
        seconds += other.seconds
        first = [first, other.first].compactMap(\.self).min()
        last = [last, other.last].compactMap(\.self).max()
    }
}
