import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Synchronization

/// A log in memory that cannot be written while it is away.
final class FailingPlaylogStore: PlaylogStore {
    let isAway = Mutex(false)
    private let base = MemoryPlaylogStore()

    private func check() throws(EarshotError) {
        if isAway.withLock({ $0 }) { throw EarshotError(.storeUnavailable, "The log is away: wait.") }
    }

    func put(_ records: [PlayRecord]) async throws(EarshotError) -> [PlayOutcome] {
        try check()
        return try await base.put(records)
    }

    func put(_ gaps: [StreamGap]) async throws(EarshotError) -> [PlayOutcome] {
        try check()
        return try await base.put(gaps)
    }

    func withdraw(_ identifiers: [EntityID<PlayRecord>]) async throws(EarshotError) -> [PlayOutcome] {
        try check()
        return try await base.withdraw(identifiers)
    }

    func note(_ heard: [DetectedInterval]) async throws(EarshotError) {
        try check()
        try await base.note(heard)
    }

    func heard(_ query: PlayQuery) async throws(EarshotError) -> [DetectedInterval] { try await base.heard(query) }

    func record(_ id: EntityID<PlayRecord>) async throws(EarshotError) -> PlayRecord? { try await base.record(id) }

    func records(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<PlayRecord> { try await base.records(query, after: cursor, limit: limit) }

    func gaps(
        _ query: PlayQuery,
        after cursor: PlayCursor?,
        limit: Int
    ) async throws(EarshotError) -> PlayPage<StreamGap> { try await base.gaps(query, after: cursor, limit: limit) }

    func closeOpen(
        of channel: EntityID<BroadcastChannel>?,
        at instant: Date?,
        reason: PlayEndReason
    ) async throws(EarshotError) -> [PlayRecord] { try await base.closeOpen(of: channel, at: instant, reason: reason) }

    func totals(_ query: PlayQuery, by grouping: PlayGrouping) async throws(EarshotError) -> [PlayTotal] {
        try await base.totals(query, by: grouping)
    }

    func remove(before date: Date) async throws(EarshotError) -> PlaylogRemoval { try await base.remove(before: date) }
    func counts() async throws(EarshotError) -> PlaylogCounts { try await base.counts() }

    func changes(after sequence: Int, limit: Int) async throws(EarshotError) -> PlayChangePage {
        try await base.changes(after: sequence, limit: limit)
    }

    func position(of consumer: String) async throws(EarshotError) -> Int? { try await base.position(of: consumer) }

    func setPosition(_ sequence: Int, of consumer: String) async throws(EarshotError) {
        try await base.setPosition(sequence, of: consumer)
    }

    func removeConsumer(_ consumer: String) async throws(EarshotError) -> Bool {
        try await base.removeConsumer(consumer)
    }

    func consumers() async throws(EarshotError) -> [String: Int] { try await base.consumers() }
}
