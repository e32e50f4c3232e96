package import EarshotCore
package import EarshotMusic
package import Foundation
import Synchronization

/// A log of plays in memory, for tests and for monitors whose records are passed on at once. It is lost with the
/// object.
package final class MemoryPlaylogStore: PlaylogStore {
    private struct State {
        var plays: [EntityID<PlayRecord>: PlayRecord] = [:]
        var gaps: [EntityID<StreamGap>: StreamGap] = [:]
        var heard: [String: DetectedInterval] = [:]
        /// The changes. Their numbers are consecutive and begin at ``trimmed`` plus one.
        var changes: [PlayChange] = []
        var trimmed = 0
        var consumers: [String: Int] = [:]

        var lastSequence: Int { trimmed + changes.count }

        mutating func append(_ event: PlayEvent, _ subject: PlayChange.Subject) -> Int {
            changes.append(PlayChange(sequence: lastSequence + 1, event: event, subject: subject))
            return lastSequence
        }

        mutating func put(_ record: PlayRecord) -> PlayOutcome.Result {
            switch PlayReplacement(of: plays[record.id], by: record) {
            case .unchanged: return .unchanged
            case .keptFinal: return .keptFinal
            case .store(let event):
                plays[record.id] = record
                return .stored(sequence: append(event, .play(record)))
            }
        }
    }

    private let state = Mutex(State())

    /// Creates an empty log.
    public init() {}

    // MARK: - Plays and gaps

    /// Writes plays; each replaces the one with its identifier.
    @discardableResult
    package func put(_ records: [PlayRecord]) async throws(EarshotError) -> [PlayOutcome] {
        state.withLock { state in
            records.map { record in
                let check = record.checked()
                guard let checked = check.record else {
                    return PlayOutcome(id: record.id.rawValue, result: .refused(check.refusal ?? ""))
                }
                return PlayOutcome(id: record.id.rawValue, result: state.put(checked), notices: check.notices)
            }
        }
    }

    /// Writes gaps; each replaces the one with its identifier.
    @discardableResult
    package func put(_ gaps: [StreamGap]) async throws(EarshotError) -> [PlayOutcome] {
        state.withLock { state in
            gaps.map { gap in
                let id = gap.id.rawValue
                guard let checked = gap.checked() else { return PlayOutcome(id: id, result: .refused(StreamGap.fault)) }
                switch PlayReplacement(of: state.gaps[gap.id], by: checked) {
                case .unchanged: return PlayOutcome(id: id, result: .unchanged)
                case .keptFinal: return PlayOutcome(id: id, result: .keptFinal)
                case .store(let event):
                    state.gaps[gap.id] = checked
                    return PlayOutcome(id: id, result: .stored(sequence: state.append(event, .gap(checked))))
                }
            }
        }
    }

    /// Withdraws provisional plays.
    @discardableResult
    package func withdraw(_ identifiers: [EntityID<PlayRecord>]) async throws(EarshotError) -> [PlayOutcome] {
        state.withLock { state in
            identifiers.map { id in
                guard let record = state.plays[id] else { return PlayOutcome(id: id.rawValue, result: .unchanged) }
                guard record.state == .provisional else { return PlayOutcome(id: id.rawValue, result: .keptFinal) }
                state.plays[id] = nil
                let sequence = state.append(.playWithdrawn, .play(record))
                return PlayOutcome(id: id.rawValue, result: .stored(sequence: sequence))
            }
        }
    }

    /// Records the intervals in which channels were monitored.
    package func note(_ heard: [DetectedInterval]) async throws(EarshotError) {
        state.withLock { state in
            for stretch in heard.compactMap({ $0.checked() }) {
                state.heard["\(PlaylogTime.bounded(stretch.start)) \(stretch.channel.id)"] = stretch
            }
        }
    }

    /// Returns the intervals in which channels were monitored.
    package func heard(_ query: PlayQuery) async throws(EarshotError) -> [DetectedInterval] {
        state.withLock { $0.heard.values.filter(PlaylogFilter.rounded(query).contains) }
            .sorted { ($0.channel.id, $0.start) < ($1.channel.id, $1.start) }
    }

    /// Returns a play; `nil` if no play has this identifier.
    package func record(_ id: EntityID<PlayRecord>) async throws(EarshotError) -> PlayRecord? {
        state.withLock { $0.plays[id] }
    }

    /// Returns a page of plays, by start and identifier.
    package func records(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<PlayRecord> {
        let found = state.withLock { $0.plays.values.filter(PlaylogFilter.rounded(query).contains) }
        return Self.page(found, query, cursor, limit, PlayCursor.init)
    }

    /// Returns a page of gaps, by start and identifier.
    package func gaps(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<StreamGap> {
        let found = state.withLock { $0.gaps.values.filter(PlaylogFilter.rounded(query).contains) }
        return Self.page(found, query, cursor, limit, PlayCursor.init)
    }

    private static func page<Item>(
        _ items: [Item],
        _ query: PlayQuery,
        _ cursor: PlayCursor?,
        _ limit: Int,
        _ place: (Item) -> PlayCursor
    ) -> PlayPage<Item> {
        let limit = pageSize(limit)
        let sorted = items.map { (place($0), $0) }.sorted { isBefore($0.0, $1.0, query) }
        let rest = sorted.drop { entry in cursor.map { !isBefore($0, entry.0, query) } ?? false }
        let page = rest.prefix(limit)
        return PlayPage(items: page.map(\.1), next: rest.count > page.count ? page.last?.0 ?? cursor : nil)
    }

    private static func isBefore(_ left: PlayCursor, _ right: PlayCursor, _ query: PlayQuery) -> Bool {
        let (left, right) = query.isNewestFirst ? (right, left) : (left, right)
        guard left.start == right.start else { return left.start < right.start }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
    }

    /// Makes the provisional plays of a channel final and returns them.
    @discardableResult
    package func closeOpen(
        of channel: EntityID<BroadcastChannel>?,
        at instant: Date?,
        reason: PlayEndReason
    ) async throws(EarshotError) -> [PlayRecord] {
        let query = PlayQuery(channels: channel.map { [$0] } ?? [], state: .provisional)
        return state.withLock { state in
            let open = state.plays.values.filter(query.contains).map { record in
                (record, PlayCursor(record))
            }
            return open.sorted { Self.isBefore($0.1, $1.1, query) }.compactMap { record, _ in
                guard let closed = record.closed(at: instant, reason: reason).checked().record else { return nil }
                _ = state.put(closed)
                return closed
            }
        }
    }

    // MARK: - Figures

    /// Returns the totals of plays.
    package func totals(_ query: PlayQuery, by grouping: PlayGrouping) async throws(EarshotError) -> [PlayTotal] {
        let query = PlaylogFilter.rounded(query)
        let found = state.withLock { $0.plays.values.filter(query.contains) }
        let groups = Dictionary(grouping: found) { record in
            switch grouping {
            case .reference: ReferenceID(record.referenceID?.rawValue ?? "")
            case .channel: ReferenceID(record.channel.id.rawValue)
            case .kind: ReferenceID(record.kind.rawValue)
            }
        }
        let totals = groups.map { key, records in
            PlayTotal(
                key: key.rawValue,
                plays: records.count { query.span?.contains($0.start) ?? true },
                seconds: records.reduce(0) { $0 + (query.span.map($1.playedDuration(in:)) ?? $1.playedDuration) },
                channels: Set(records.map(\.channel.id)).count,
                first: records.map(\.start).min() ?? .distantPast,
                last: records.map(\.start).max() ?? .distantPast
            )
        }
        return totals.sorted(by: PlayTotal.isBefore)
    }

    /// Returns the number of records of each kind.
    package func counts() async throws(EarshotError) -> PlaylogCounts {
        state.withLock { state in
            var counts = PlaylogCounts()
            counts.plays = state.plays.count
            counts.open = state.plays.values.count { $0.state == .provisional }
            counts.gaps = state.gaps.count
            counts.changes = state.changes.count
            counts.lastSequence = state.lastSequence
            return counts
        }
    }

    /// Removes the final plays and the gaps that ended before a date, and the first changes of such records that all
    /// consumers have read.
    package func remove(before date: Date) async throws(EarshotError) -> PlaylogRemoval {
        let date = PlaylogTime.date(PlaylogTime.bounded(date))
        return state.withLock { state in
            var removal = PlaylogRemoval()
            let plays = state.plays.filter { $0.value.state == .provisional || $0.value.end >= date }
            let gaps = state.gaps.filter { $0.value.end.map { $0 >= date } ?? true }
            removal.plays = state.plays.count - plays.count
            removal.gaps = state.gaps.count - gaps.count
            (state.plays, state.gaps) = (plays, gaps)
            state.heard = state.heard.filter { $0.value.end >= date }
            let read = state.consumers.values.min() ?? .max
            removal.changes = state.changes.prefix { $0.sequence <= read && $0.ended < date }.count
            state.changes.removeFirst(removal.changes)
            state.trimmed += removal.changes
            return removal
        }
    }

    // MARK: - Changes

    /// Returns the changes after a number.
    package func changes(after sequence: Int, limit: Int) async throws(EarshotError) -> PlayChangePage {
        state.withLock { state in
            let sequence = max(0, sequence)
            let rest = state.changes.dropFirst(max(0, sequence - state.trimmed))
            let page = rest.prefix(Self.pageSize(limit))
            return PlayChangePage(
                changes: Array(page),
                hasMore: rest.count > page.count,
                isIncomplete: sequence < state.trimmed
            )
        }
    }

    /// Returns the last number that a consumer has read; `nil` for an unknown consumer.
    package func position(of consumer: String) async throws(EarshotError) -> Int? {
        state.withLock { $0.consumers[consumer] }
    }

    /// Stores the last number that a consumer has read.
    package func setPosition(_ sequence: Int, of consumer: String) async throws(EarshotError) {
        try checkConsumer(consumer)
        state.withLock { $0.consumers[consumer] = min(max(0, sequence), $0.lastSequence) }
    }

    /// Removes a consumer.
    @discardableResult
    package func removeConsumer(_ consumer: String) async throws(EarshotError) -> Bool {
        state.withLock { $0.consumers.removeValue(forKey: consumer) != nil }
    }

    /// Returns all consumers with the last number that each has read.
    package func consumers() async throws(EarshotError) -> [String: Int] {
        state.withLock { $0.consumers }
    }
}

extension StreamGap {
    /// The reason for refusing an invalid gap.
    package static let fault = "The gap has no channel, or a date that is none."
}

extension PlayChange {
    /// The end of the play or gap; for a gap in progress its start.
    package var ended: Date {
        switch subject {
        case .play(let record): record.end
        case .gap(let gap): gap.end ?? gap.start
        }
    }
}
