public import EarshotCore
import EarshotMusic
public import Foundation

extension DailyReport {
    /// Adds up plays and gaps for a report.
    public struct Builder {
        /// The day.
        public let day: PlayDay
        /// The time zone.
        public let timeZone: TimeZone
        /// The interval of the report.
        public let span: Range<Date>
        private var channels: [EntityID<BroadcastChannel>: ChannelSums] = [:]
        private var references: [ReferenceID: Reference] = [:]
        private var kinds: [PlayKind: Total] = [:]
        private var gaps: [StreamGap] = []

        private struct ChannelSums {
            var channel: PlayChannel
            var total = Total()
            var known: [Range<Int64>] = []
            var lost: [Range<Int64>] = []
            /// The intervals in which the channel was monitored; and the intervals of plays and gaps, used if there are
            /// none.
            var heard: [Range<Int64>] = []
            var told: [Range<Int64>] = []
        }

        /// Creates an empty report.
        ///
        /// - Parameters:
        ///   - day: The day.
        ///   - timeZone: The time zone of the day.
        ///   - channels: Channels that are listed even without plays.
        ///   - now: The end of the report, for a day that is not over; `nil` for the end of the day.
        public init(_ day: PlayDay, in timeZone: TimeZone = .gmt, channels: [PlayChannel] = [], until now: Date? = nil)
        {
            self.day = day
            self.timeZone = timeZone
            let whole = day.span(in: timeZone)
            span = whole.lowerBound..<min(max(now ?? whole.upperBound, whole.lowerBound), whole.upperBound)
            for channel in channels { self.channels[channel.id] = ChannelSums(channel: channel) }
        }

        /// Adds a play. A play outside the day is ignored.
        public mutating func add(_ record: PlayRecord) {
            guard PlayQuery(span: span).contains(record) else { return }
            let known = InstantSet.clipped(record.start, record.end, to: span)
            var sums = channels[record.channel.id] ?? ChannelSums(channel: record.channel)
            sums.total.add(record, in: span)
            if record.kind != .unknown { sums.known.append(known) }
            sums.told.append(known)
            channels[record.channel.id] = sums
            kinds[record.kind, default: Total()].add(record, in: span)
            guard let id = record.referenceID else { return }
            var reference = references[id] ?? Reference(id: id, channels: [], total: Total())
            // Names are corrected over time, so those of the last play are used.
            if reference.total.last.map({ $0 <= record.start }) ?? true {
                (reference.title, reference.artist) = (record.title, record.artist)
                (reference.isrc, reference.callerRef) = (record.isrc, record.callerRef)
            }
            if !reference.channels.contains(record.channel.id) { reference.channels.append(record.channel.id) }
            reference.total.add(record, in: span)
            references[id] = reference
        }

        /// Adds a gap in the stream. A gap outside the day is ignored; one without an end lasts to the end of the
        /// report.
        public mutating func add(_ gap: StreamGap) {
            guard PlayQuery(span: span).contains(gap) else { return }
            let lost = InstantSet.clipped(gap.start, gap.end ?? span.upperBound, to: span)
            guard !lost.isEmpty else { return }
            channels[gap.channel.id, default: ChannelSums(channel: gap.channel)].lost.append(lost)
            channels[gap.channel.id]?.told.append(lost)
            var part = gap
            part.start = PlaylogTime.date(lost.lowerBound)
            // A gap that continues beyond the report has no end here either.
            part.end = gap.end.map { _ in PlaylogTime.date(lost.upperBound) }
            gaps.append(part)
        }

        /// Adds an interval in which a channel was monitored. An interval outside the day is ignored.
        public mutating func add(_ heard: DetectedInterval) {
            let part = InstantSet.clipped(heard.start, heard.end, to: span)
            guard !part.isEmpty else { return }
            channels[heard.channel.id, default: ChannelSums(channel: heard.channel)].heard.append(part)
        }

        /// Returns the intervals in which a channel was monitored. A log without such intervals is taken as monitored
        /// from the first of its plays and gaps to the last.
        private static func listened(_ sums: ChannelSums) -> InstantSet {
            guard sums.heard.isEmpty else { return InstantSet(sums.heard + sums.known) }
            let told = InstantSet(sums.told).ranges
            guard let first = told.first, let last = told.last else { return InstantSet([]) }
            return InstantSet([first.lowerBound..<last.upperBound])
        }

        /// Returns the report.
        public func report() -> DailyReport {
            let rows = channels.values.sorted { $0.channel.id < $1.channel.id }.map { sums in
                let lost = InstantSet(sums.lost)
                return Channel(
                    channel: sums.channel,
                    heardSeconds: Self.listened(sums).subtracting(lost).seconds,
                    identifiedSeconds: InstantSet(sums.known).subtracting(lost).seconds,
                    total: sums.total
                )
            }
            let references = references.values.map { reference in
                var reference = reference
                reference.channels.sort()
                return reference
            }
            let order = Dictionary(uniqueKeysWithValues: PlayKind.known.enumerated().map { ($1, $0) })
            return DailyReport(
                day: day,
                timeZone: timeZone,
                span: span,
                channels: rows,
                references: references.sorted { left, right in
                    guard left.total.plays == right.total.plays else { return left.total.plays > right.total.plays }
                    return left.id < right.id
                },
                kinds: kinds.map { Kind(kind: $0, total: $1) }.sorted { left, right in
                    (order[left.kind] ?? .max, left.kind.rawValue) < (order[right.kind] ?? .max, right.kind.rawValue)
                },
                gaps: gaps.sorted { ($0.channel.id, $0.start) < ($1.channel.id, $1.start) }
            )
        }
    }
}

extension PlaylogStore {
    /// Creates the report of a day.
    ///
    /// - Parameters:
    ///   - day: The day.
    ///   - timeZone: The time zone of the day.
    ///   - channels: The channels of the report; empty for all with plays or gaps.
    ///   - now: The end of the report, for a day that is not over; `nil` for the end of the day.
    /// - Throws: The errors of the store.
    public func dailyReport(
        _ day: PlayDay,
        in timeZone: TimeZone = .gmt,
        channels: [PlayChannel] = [],
        until now: Date? = nil
    ) async throws(EarshotError) -> DailyReport {
        var builder = DailyReport.Builder(day, in: timeZone, channels: channels, until: now)
        let query = PlayQuery(channels: Set(channels.map(\.id)), span: builder.span)
        try await forEachRecord(query) { builder.add($0) }
        try await forEachGap(query) { builder.add($0) }
        for heard in try await heard(query) { builder.add(heard) }
        return builder.report()
    }
}
