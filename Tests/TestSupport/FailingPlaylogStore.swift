package import EarshotBroadcast
package import EarshotCore
package import EarshotMusic
package import Foundation
package import Synchronization

/// A log in memory that cannot be written while it is away, or fails when it is wanted.
package final class FailingPlaylogStore: PlaylogStore {
    /// A failure of one call that writes.
    package enum Fault: Sendable, CaseIterable {
        /// Nothing is written.
        case before
        /// All is written, and the answer is lost.
        case after
    }

    package let isAway = Mutex(false)
    /// The faults of the next calls that write, the next one first; `nil` for a call that succeeds.
    package let faults = Mutex<[Fault?]>([])
    /// The identifiers of plays that it does not keep.
    package let refused = Mutex<Set<EntityID<PlayRecord>>>([])
    private let base = MemoryPlaylogStore()

    package init() {}

    private static var away: EarshotError { EarshotError(.storeUnavailable, "The log is away: wait.") }

    private func write<Value: Sendable>(
        _ body: () async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        if isAway.withLock({ $0 }) { throw Self.away }
        let fault: Fault? = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if fault == .before { throw Self.away }
        let value = try await body()
        if fault == .after { throw Self.away }
        return value
    }

    package func put(_ records: [PlayRecord]) async throws(EarshotError) -> [PlayOutcome] {
        let refused = refused.withLock { $0 }
        return try await write { () async throws(EarshotError) in
            var written = try await base.put(records.filter { !refused.contains($0.id) })[...]
            return records.map { record in
                let result = refused.contains(record.id) ? nil : written.popFirst()
                return result ?? PlayOutcome(id: record.id.rawValue, result: .refused("It will not do."))
            }
        }
    }

    package func put(_ gaps: [StreamGap]) async throws(EarshotError) -> [PlayOutcome] {
        try await write { () async throws(EarshotError) in try await base.put(gaps) }
    }

    package func withdraw(_ identifiers: [EntityID<PlayRecord>]) async throws(EarshotError) -> [PlayOutcome] {
        try await write { () async throws(EarshotError) in try await base.withdraw(identifiers) }
    }

    package func note(_ heard: [DetectedInterval]) async throws(EarshotError) {
        try await write { () async throws(EarshotError) in try await base.note(heard) }
    }

    package func heard(_ query: PlayQuery) async throws(EarshotError) -> [DetectedInterval] {
        try await base.heard(query)
    }

    package func record(_ id: EntityID<PlayRecord>) async throws(EarshotError) -> PlayRecord? {
        try await base.record(id)
    }

    package func records(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<PlayRecord> { try await base.records(query, after: cursor, limit: limit) }

    package func gaps(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<StreamGap> { try await base.gaps(query, after: cursor, limit: limit) }

    package func closeOpen(
        of channel: EntityID<BroadcastChannel>?,
        at instant: Date?,
        reason: PlayEndReason
    ) async throws(EarshotError) -> [PlayRecord] { try await base.closeOpen(of: channel, at: instant, reason: reason) }

    package func totals(_ query: PlayQuery, by grouping: PlayGrouping) async throws(EarshotError) -> [PlayTotal] {
        try await base.totals(query, by: grouping)
    }

    package func remove(before date: Date) async throws(EarshotError) -> PlaylogRemoval {
        try await base.remove(before: date)
    }
    package func counts() async throws(EarshotError) -> PlaylogCounts { try await base.counts() }

    package func changes(after sequence: Int, limit: Int) async throws(EarshotError) -> PlayChangePage {
        try await base.changes(after: sequence, limit: limit)
    }

    package func position(of consumer: String) async throws(EarshotError) -> Int? {
        try await base.position(of: consumer)
    }

    package func setPosition(_ sequence: Int, of consumer: String) async throws(EarshotError) {
        try await base.setPosition(sequence, of: consumer)
    }

    package func removeConsumer(_ consumer: String) async throws(EarshotError) -> Bool {
        try await base.removeConsumer(consumer)
    }

    package func consumers() async throws(EarshotError) -> [String: Int] { try await base.consumers() }
}
