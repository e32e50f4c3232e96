public import EarshotCore
public import EarshotMusic
public import Foundation

/// A store of plays and gaps, with all their changes in order.
///
/// Changes are numbered in the order in which they were written. A reader that reads the changes after a number, and
/// stores the last number read, misses none and reads none twice. Webhooks, event streams and copies use this. Stores
/// keep such positions by the name of the consumer.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached,
/// `storeDamaged`, `writeFailed` if the disk is full or read-only, and `cancelled`. When a function returns, its data
/// is on the disk.
public protocol PlaylogStore: Sendable {
    /// Writes plays; each replaces the one with its identifier. If the call throws, none is written.
    ///
    /// - Returns: The outcome of each record, in order. An invalid record does not stop the others, and a provisional
    ///   one never replaces a final one.
    @discardableResult
    func put(_ records: [PlayRecord]) async throws(EarshotError) -> [PlayOutcome]

    /// Writes gaps, as `put(_:)` writes plays. A gap that has ended is not reopened.
    @discardableResult
    func put(_ gaps: [StreamGap]) async throws(EarshotError) -> [PlayOutcome]

    /// Withdraws provisional plays that were errors. Readers of changes get ``PlayEvent/playWithdrawn`` with the
    /// record. A final play is kept (``PlayOutcome/Result/keptFinal``), and an unknown one is
    /// ``PlayOutcome/Result/unchanged``. If the call throws, nothing is withdrawn.
    ///
    /// - Parameter identifiers: The identifiers of the plays.
    /// - Returns: The outcome of each play, in order.
    @discardableResult
    func withdraw(_ identifiers: [EntityID<PlayRecord>]) async throws(EarshotError) -> [PlayOutcome]

    /// Returns a play; `nil` if no play has this identifier.
    func record(_ id: EntityID<PlayRecord>) async throws(EarshotError) -> PlayRecord?

    /// Returns a page of plays, by start and identifier.
    ///
    /// - Parameters:
    ///   - query: The plays to return.
    ///   - cursor: The position after which the page begins; `nil` for the start. Plays that are written in the
    ///     meantime cause no repeated or missing items.
    ///   - limit: The largest number of plays of the page.
    func records(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<PlayRecord>

    /// Returns a page of gaps, by start and identifier. Only channels, interval and order of the query are used.
    ///
    /// - Parameters:
    ///   - query: The gaps to return.
    ///   - cursor: The position after which the page begins; `nil` for the start.
    ///   - limit: The largest number of gaps of the page.
    func gaps(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<StreamGap>

    /// Records the intervals in which channels were monitored. An interval replaces the one with the same channel and
    /// start; empty intervals are ignored.
    func note(_ heard: [DetectedInterval]) async throws(EarshotError)

    /// Returns the intervals in which channels were monitored, by channel and start. Only channels and interval of the
    /// query are used.
    func heard(_ query: PlayQuery) async throws(EarshotError) -> [DetectedInterval]

    /// Makes the provisional plays of a channel final: after a crash, or when a monitor stops.
    ///
    /// - Parameters:
    ///   - channel: The channel; `nil` for all.
    ///   - instant: The end of the plays; `nil` for the time at which each was last heard, as after a crash.
    ///   - reason: The reason for the end.
    /// - Returns: The plays in their new state, by start and identifier.
    @discardableResult
    func closeOpen(
        of channel: EntityID<BroadcastChannel>?,
        at instant: Date?,
        reason: PlayEndReason
    ) async throws(EarshotError) -> [PlayRecord]

    /// Returns the totals of plays: the number of those that begin within the query's interval, and the seconds within
    /// it.
    ///
    /// - Parameters:
    ///   - query: The plays to add up.
    ///   - grouping: The grouping.
    /// - Returns: The totals, most plays first, equal ones by their keys.
    func totals(_ query: PlayQuery, by grouping: PlayGrouping) async throws(EarshotError) -> [PlayTotal]

    /// Removes the final plays, the gaps and the monitored intervals that ended before a date. The first changes are
    /// removed too, as far as they are of such records and every consumer has read them.
    func remove(before date: Date) async throws(EarshotError) -> PlaylogRemoval

    /// Returns the number of records of each kind.
    func counts() async throws(EarshotError) -> PlaylogCounts

    /// Returns the changes after a number.
    ///
    /// - Parameters:
    ///   - sequence: The last number that was read; 0 for the start.
    ///   - limit: The largest number of changes of the page.
    func changes(after sequence: Int, limit: Int) async throws(EarshotError) -> PlayChangePage

    /// Returns the last number that a consumer has read; `nil` for an unknown consumer.
    func position(of consumer: String) async throws(EarshotError) -> Int?

    /// Stores the last number that a consumer has read, at most that of the last change. A lower number than before
    /// makes the consumer read again.
    ///
    /// - Throws: `metadataInvalid` for a name that is empty or longer than 512 bytes.
    func setPosition(_ sequence: Int, of consumer: String) async throws(EarshotError)

    /// Removes a consumer, so that changes need not be kept for it.
    ///
    /// - Returns: `true` if it existed.
    @discardableResult
    func removeConsumer(_ consumer: String) async throws(EarshotError) -> Bool

    /// Returns all consumers with the last number that each has read.
    func consumers() async throws(EarshotError) -> [String: Int]
}

extension PlaylogStore {
    /// The largest number of plays or changes of one page.
    public static var maximumPageSize: Int { 10_000 }

    /// Returns the number of items of a page for a requested limit.
    package static func pageSize(_ limit: Int) -> Int { min(max(0, limit), maximumPageSize) }

    /// Writes a play.
    ///
    /// - Returns: The outcome.
    /// - Throws: The errors of the store.
    @discardableResult
    public func put(_ record: PlayRecord) async throws(EarshotError) -> PlayOutcome {
        try await put([record]).first ?? PlayOutcome(id: record.id.rawValue, result: .unchanged)
    }

    /// Writes a gap.
    ///
    /// - Returns: The outcome.
    /// - Throws: The errors of the store.
    @discardableResult
    public func put(_ gap: StreamGap) async throws(EarshotError) -> PlayOutcome {
        try await put([gap]).first ?? PlayOutcome(id: gap.id.rawValue, result: .unchanged)
    }

    /// Returns the provisional plays of a channel, or of all channels if it is `nil`.
    ///
    /// - Throws: The errors of the store.
    public func openRecords(
        of channel: EntityID<BroadcastChannel>? = nil
    ) async throws(EarshotError) -> [PlayRecord] {
        var open: [PlayRecord] = []
        let query = PlayQuery(channels: channel.map { [$0] } ?? [], state: .provisional)
        try await forEachRecord(query) { open.append($0) }
        return open
    }

    /// Calls `body` with every play that matches a query, page by page, by start and identifier.
    ///
    /// - Parameters:
    ///   - query: The plays.
    ///   - body: Receives a play.
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

    /// Calls `body` with every gap that matches a query, page by page, by start and identifier.
    ///
    /// - Parameters:
    ///   - query: The gaps.
    ///   - body: Receives a gap.
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

    /// Checks the name of a consumer.
    ///
    /// - Throws: `metadataInvalid` for a name that is empty or longer than 512 bytes.
    package func checkConsumer(_ consumer: String) throws(EarshotError) {
        guard (1...PlayRecord.maximumIdentifierSize).contains(consumer.utf8.count) else {
            throw EarshotError(
                .metadataInvalid,
                "The consumer's name has \(consumer.utf8.count) bytes: choose one of 1 to 512 bytes."
            )
        }
    }
}
