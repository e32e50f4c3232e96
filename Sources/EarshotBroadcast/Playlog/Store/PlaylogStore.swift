public import EarshotCore
public import EarshotMusic
public import Foundation

/// A store of plays and gaps, with all their changes in order.
///
/// A change has a number, and the numbers follow each other in the order in which the changes were written. Whoever reads the
/// changes behind a number, and keeps the last number read, misses none and reads none twice: webhooks, event streams and
/// copies work so. Stores keep such positions by the name of the consumer.
///
/// All functions may be called from any task. They throw `storeUnavailable` when the store cannot be reached, `storeDamaged`,
/// `writeFailed` when the disk is full or closed, and `cancelled`. What was written is on the disk when a function returns.
public protocol PlaylogStore: Sendable {
    /// Writes plays, each in the place of the one with its identifier; all of a call or, when it throws, none.
    ///
    /// - Returns: The outcome of each record, in order. An invalid record does not stop the others, and a provisional
    ///   one never replaces a final one.
    @discardableResult
    func put(_ records: [PlayRecord]) async throws(EarshotError) -> [PlayOutcome]

    /// Writes gaps, as `put(_:)` writes plays. One that has ended is not opened again.
    @discardableResult
    func put(_ gaps: [StreamGap]) async throws(EarshotError) -> [PlayOutcome]

    /// Withdraws provisional plays that were errors. Readers of changes get ``PlayEvent/playWithdrawn`` with the
    /// record. A final play is kept (``PlayOutcome/Result/keptFinal``), and an unknown one is
    /// ``PlayOutcome/Result/unchanged``. If the call throws, nothing is withdrawn.
    ///
    /// - Parameter identifiers: Of the plays.
    /// - Returns: The outcome of each play, in order.
    @discardableResult
    func withdraw(_ identifiers: [EntityID<PlayRecord>]) async throws(EarshotError) -> [PlayOutcome]

    /// A play; `nil` if no play has this identifier.
    func record(_ id: EntityID<PlayRecord>) async throws(EarshotError) -> PlayRecord?

    /// A page of plays, in the order of start and identifier.
    ///
    /// - Parameters:
    ///   - query: The plays to export.
    ///   - cursor: Behind this place; `nil` for the beginning. What is written meanwhile is neither repeated nor in the
    ///     way.
    ///   - limit: The most plays of the page.
    func records(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<PlayRecord>

    /// A page of gaps, in the order of start and identifier; of the query channels, span and order count.
    ///
    /// - Parameters:
    ///   - query: The gaps to return.
    ///   - cursor: Behind this place; `nil` for the beginning.
    ///   - limit: The most gaps of the page.
    func gaps(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<StreamGap>

    /// Records the intervals in which channels were monitored. An interval replaces the one with the same channel and
    /// start; empty intervals are ignored.
    func note(_ heard: [DetectedInterval]) async throws(EarshotError)

    /// The intervals in which channels were monitored; only channels and interval of the query are used.
    ///
    /// - Returns: The stretches, in the order of channel and start.
    func heard(_ query: PlayQuery) async throws(EarshotError) -> [DetectedInterval]

    /// Makes the provisional plays of a channel final: after a crash, or when a monitor stops.
    ///
    /// - Parameters:
    ///   - channel: The channel; `nil` for all.
    ///   - instant: The end of the plays; `nil` for the time at which each was last heard, as after a crash.
    ///   - reason: The reason for the end.
    /// - Returns: The plays as they are kept now, in the order of start and identifier.
    @discardableResult
    func closeOpen(
        of channel: EntityID<BroadcastChannel>?,
        at instant: Date?,
        reason: PlayEndReason
    ) async throws(EarshotError) -> [PlayRecord]

    /// The totals of plays: the number of those that begin within the query's interval, and the seconds within it.
    ///
    /// - Parameters:
    ///   - query: The plays to export.
    ///   - grouping: By what.
    /// - Returns: The totals, most plays first, equal ones by their keys.
    func totals(_ query: PlayQuery, by grouping: PlayGrouping) async throws(EarshotError) -> [PlayTotal]

    /// Removes the final plays, the gaps and the monitored intervals that ended before a date. The first changes are
    /// removed too, as far as they are of such records and every consumer has read them.
    func remove(before date: Date) async throws(EarshotError) -> PlaylogRemoval

    /// The number of records of each kind.
    func counts() async throws(EarshotError) -> PlaylogCounts

    /// The changes behind a number.
    ///
    /// - Parameters:
    ///   - sequence: The last number that was read; 0 for the beginning.
    ///   - limit: The most changes of the page.
    func changes(after sequence: Int, limit: Int) async throws(EarshotError) -> PlayChangePage

    /// The last number that a consumer has read; `nil` for an unknown consumer.
    func position(of consumer: String) async throws(EarshotError) -> Int?

    /// Keeps the last number that a consumer has read: at most that of the last change, and lower than before to read again.
    ///
    /// - Throws: `metadataInvalid` for a name that is empty or has more than 512 bytes.
    func setPosition(_ sequence: Int, of consumer: String) async throws(EarshotError)

    /// Forgets a consumer, so that changes need not be kept for it.
    ///
    /// - Returns: `true` if it was known.
    @discardableResult
    func removeConsumer(_ consumer: String) async throws(EarshotError) -> Bool

    /// All consumers, and the last number that each has read.
    func consumers() async throws(EarshotError) -> [String: Int]
}

extension PlaylogStore {
    /// The most plays or changes of one page.
    public static var maximumPageSize: Int { 10_000 }

    /// The number of items of a page for which a limit is given.
    package static func pageSize(_ limit: Int) -> Int { min(max(0, limit), maximumPageSize) }

    /// Writes a play.
    ///
    /// - Returns: The outcome.
    /// - Throws: The store's errors.
    @discardableResult
    public func put(_ record: PlayRecord) async throws(EarshotError) -> PlayOutcome {
        try await put([record]).first ?? PlayOutcome(id: record.id.rawValue, result: .unchanged)
    }

    /// Writes a gap.
    ///
    /// - Returns: The outcome.
    /// - Throws: The store's errors.
    @discardableResult
    public func put(_ gap: StreamGap) async throws(EarshotError) -> PlayOutcome {
        try await put([gap]).first ?? PlayOutcome(id: gap.id.rawValue, result: .unchanged)
    }

    /// The provisional plays of a channel, or of all.
    ///
    /// - Throws: The store's errors.
    public func openRecords(
        of channel: EntityID<BroadcastChannel>? = nil
    ) async throws(EarshotError) -> [PlayRecord] {
        var open: [PlayRecord] = []
        let query = PlayQuery(channels: channel.map { [$0] } ?? [], state: .provisional)
        try await forEachRecord(query) { open.append($0) }
        return open
    }

    /// Hands over every play that is meant, page by page, in the order of start and identifier.
    ///
    /// - Parameters:
    ///   - query: The plays to export.
    ///   - body: Takes a play.
    /// - Throws: The errors of the store and of the body.
    public func forEachRecord(
        _ query: PlayQuery = PlayQuery(),
        _ body: (PlayRecord) throws(EarshotError) -> Void
    ) async throws(EarshotError) {
        var cursor: PlayCursor?
        repeat {
            let page = try await records(query, after: cursor, limit: 1_000)
            for record in page.items { try body(record) }
            cursor = page.next
        } while cursor != nil
    }

    /// Hands over every gap that is meant, page by page, in the order of start and identifier.
    ///
    /// - Parameters:
    ///   - query: The gaps to return.
    ///   - body: Takes a gap.
    /// - Throws: The errors of the store and of the body.
    public func forEachGap(
        _ query: PlayQuery = PlayQuery(),
        _ body: (StreamGap) throws(EarshotError) -> Void
    ) async throws(EarshotError) {
        var cursor: PlayCursor?
        repeat {
            let page = try await gaps(query, after: cursor, limit: 1_000)
            for gap in page.items { try body(gap) }
            cursor = page.next
        } while cursor != nil
    }

    /// - Throws: `metadataInvalid` for what is no name of a consumer.
    package func checkConsumer(_ consumer: String) throws(EarshotError) {
        guard (1...PlayRecord.maximumIdentifierSize).contains(consumer.utf8.count) else {
            throw EarshotError(.metadataInvalid, "The name of a consumer has 1 to 512 bytes: give it one of these.")
        }
    }
}
