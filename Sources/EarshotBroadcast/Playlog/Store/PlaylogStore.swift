public import EarshotCore
public import EarshotMusic
public import Foundation

/// Where plays and gaps are kept, and every change of them in order.
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
    /// - Returns: What became of each, in order. A record that cannot be kept does not hold up the others, and a provisional
    ///   one never replaces a final one.
    @discardableResult
    func put(_ records: [PlayRecord]) async throws(EarshotError) -> [PlayOutcome]

    /// Writes gaps, as `put(_:)` writes plays. One that has ended is not opened again.
    @discardableResult
    func put(_ gaps: [StreamGap]) async throws(EarshotError) -> [PlayOutcome]

    /// Takes back provisional plays that turned out to be something else. What follows the changes is told
    /// ``PlayEvent/playWithdrawn`` with the record as it was. A final one stays (``PlayOutcome/Result/keptFinal``), and what is
    /// not there is ``PlayOutcome/Result/unchanged``; all of a call or, when it throws, none.
    ///
    /// - Parameter identifiers: Of the plays.
    /// - Returns: What became of each, in order.
    @discardableResult
    func withdraw(_ identifiers: [EntityID<PlayRecord>]) async throws(EarshotError) -> [PlayOutcome]

    /// A play; `nil` if there is none of this identifier.
    func record(_ id: EntityID<PlayRecord>) async throws(EarshotError) -> PlayRecord?

    /// A page of plays, in the order of start and identifier.
    ///
    /// - Parameters:
    ///   - query: Which plays.
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
    ///   - query: Which gaps.
    ///   - cursor: Behind this place; `nil` for the beginning.
    ///   - limit: The most gaps of the page.
    func gaps(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<StreamGap>

    /// Takes note of when channels were listened to. A stretch takes the place of the one of its channel and start; what is no
    /// stretch is passed over.
    func note(_ heard: [DetectedInterval]) async throws(EarshotError)

    /// When channels were listened to; of the query channels and span count.
    ///
    /// - Returns: The stretches, in the order of channel and start.
    func heard(_ query: PlayQuery) async throws(EarshotError) -> [DetectedInterval]

    /// Makes the provisional plays of a channel final: after a crash, or when a monitor stops.
    ///
    /// - Parameters:
    ///   - channel: The channel; `nil` for all.
    ///   - instant: When they ended; `nil` for when each was heard last, which is what is known after a crash.
    ///   - reason: Why they ended.
    /// - Returns: The plays as they are kept now, in the order of start and identifier.
    @discardableResult
    func closeOpen(
        of channel: EntityID<BroadcastChannel>?,
        at instant: Date?,
        reason: PlayEndReason
    ) async throws(EarshotError) -> [PlayRecord]

    /// Plays added up: those that begin within the query's span are counted, and seconds within it.
    ///
    /// - Parameters:
    ///   - query: Which plays.
    ///   - grouping: By what.
    /// - Returns: The totals, most plays first, equal ones by their keys.
    func totals(_ query: PlayQuery, by grouping: PlayGrouping) async throws(EarshotError) -> [PlayTotal]

    /// Removes the final plays, the gaps and the stretches heard that ended before a date. Changes go too, from the first on, as far as they speak of
    /// what ended before the date and every consumer has read them.
    func remove(before date: Date) async throws(EarshotError) -> PlaylogRemoval

    /// How much there is.
    func counts() async throws(EarshotError) -> PlaylogCounts

    /// The changes behind a number.
    ///
    /// - Parameters:
    ///   - sequence: The last number that was read; 0 for the beginning.
    ///   - limit: The most changes of the page.
    func changes(after sequence: Int, limit: Int) async throws(EarshotError) -> PlayChangePage

    /// The last number that a consumer has read; `nil` for one that is not known.
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
    /// - Returns: What became of it.
    /// - Throws: What the store throws.
    @discardableResult
    public func put(_ record: PlayRecord) async throws(EarshotError) -> PlayOutcome {
        try await put([record]).first ?? PlayOutcome(id: record.id.rawValue, result: .unchanged)
    }

    /// Writes a gap.
    ///
    /// - Returns: What became of it.
    /// - Throws: What the store throws.
    @discardableResult
    public func put(_ gap: StreamGap) async throws(EarshotError) -> PlayOutcome {
        try await put([gap]).first ?? PlayOutcome(id: gap.id.rawValue, result: .unchanged)
    }

    /// The provisional plays of a channel, or of all.
    ///
    /// - Throws: What the store throws.
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
    ///   - query: Which plays.
    ///   - body: Takes a play.
    /// - Throws: What the store and the body throw.
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
    ///   - query: Which gaps.
    ///   - body: Takes a gap.
    /// - Throws: What the store and the body throw.
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
