public import EarshotCore
public import EarshotMusic
public import Foundation

/// The report of a day: totals by reference, channel and kind, and the gaps.
///
/// A play across midnight is counted once, on the day on which it begins. Its seconds are divided between both days.
/// All durations are in seconds.
public struct DailyReport: Hashable, Sendable, Codable {
    /// The totals of a reference, a kind or a channel.
    public struct Total: Hashable, Sendable, Codable {
        /// The number of plays that begin on the day.
        public var plays = 0
        /// The time played on the day, in seconds.
        public var seconds = 0.0
        /// The start of the first play, which may be on the day before.
        public var first: Date?
        /// The start of the last play.
        public var last: Date?
    }

    /// A channel on the day.
    public struct Channel: Hashable, Sendable, Codable {
        /// The channel.
        public var channel: PlayChannel
        /// The time for which a monitor received the channel, without gaps, in seconds.
        public var heardSeconds: Double
        /// The duration of identified audio, in seconds; overlaps count once.
        public var identifiedSeconds: Double
        /// The totals of its plays.
        public var total: Total

        /// The share of the received audio that was identified, from 0 to 1; `nil` if nothing was received.
        public var identifiedShare: Double? { heardSeconds > 0 ? min(1, identifiedSeconds / heardSeconds) : nil }
    }

    /// A reference on the day.
    public struct Reference: Hashable, Sendable, Codable {
        /// The reference.
        public var id: ReferenceID
        /// The title of its last play.
        public var title: String?
        /// The artist of its last play.
        public var artist: String?
        /// The International Standard Recording Code.
        public var isrc: String?
        /// The operator's own text.
        public var callerRef: String?
        /// The channels on which it was played, in order of their identifiers.
        public var channels: [EntityID<BroadcastChannel>]
        /// The totals of its plays.
        public var total: Total
    }

    /// A kind on the day.
    public struct Kind: Hashable, Sendable, Codable {
        /// The kind.
        public var kind: PlayKind
        /// The totals of its plays.
        public var total: Total
    }

    /// The day.
    public let day: PlayDay
    /// The identifier of the time zone, such as `Europe/Vienna`; `UTC` for UTC.
    public let timeZone: String
    /// The start of the day.
    public let start: Date
    /// The end of the day, or of the part that the report covers.
    public let end: Date
    /// The requested channels, and those with plays or gaps, in order of their identifiers.
    public let channels: [Channel]
    /// The references, most plays first.
    public let references: [Reference]
    /// The kinds, predefined ones first.
    public let kinds: [Kind]
    /// The gaps, clipped to the day, by channel and start.
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

    /// The totals of all plays.
    public var total: Total { channels.reduce(into: Total()) { $0.add($1.total) } }

    /// The total time for which all channels were received, in seconds.
    public var heardSeconds: Double { channels.reduce(0) { $0 + $1.heardSeconds } }

    /// The share of the received audio that was identified, from 0 to 1; `nil` if nothing was received.
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
