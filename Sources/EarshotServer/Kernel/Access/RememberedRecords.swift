import EarshotCore
import Foundation
import Synchronization

/// A short-lived cache of records that requests need, which also bridges an outage of the store.
final class RememberedRecords<Record: Sendable>: Sendable {
    private struct Entry {
        let record: Record?
        /// The time at which the record was read.
        let read: Date
        /// The time at which the store was last asked for the record; later than ``read`` if the store was away then.
        var asked: Date
    }

    /// The time for which a record is valid while the store is away, in seconds.
    private static var patience: Double { 600 }
    /// The time between two requests for a record to a store that is away, in seconds.
    private static var pause: Double { 2 }
    private static var most: Int { 10_000 }

    /// The time for which a record is valid while the store can be asked, in seconds.
    private let freshness: Double
    private let entries = Mutex<[String: Entry]>([:])

    init(freshness: Double) { self.freshness = freshness }

    /// Returns the record of an identifier; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - now: The time.
    ///   - read: Reads the record from the store.
    /// - Throws: What `read` throws; `storeUnavailable` only if no record of the last 10 minutes is remembered.
    func record(
        _ id: String,
        at now: Date,
        _ read: () async throws(EarshotError) -> Record?
    ) async throws(EarshotError) -> Record? {
        let known = entries.withLock { $0[id] }
        if let known {
            // `asked` is later than `read` if the store failed since: it is then not asked at each request.
            let interval = known.asked == known.read ? freshness : Self.pause
            if abs(now.timeIntervalSince(known.asked)) < interval { return known.record }
        }
        do throws(EarshotError) {
            let record = try await read()
            entries.withLock { entries in
                if entries.count >= Self.most, entries[id] == nil {
                    // The older half is forgotten, so that the records of recent requests remain for an outage of the store.
                    let times = entries.values.map(\.read).sorted()
                    let middle = times[times.count / 2]
                    entries = entries.filter { $0.value.read > middle }
                }
                entries[id] = Entry(record: record, read: now, asked: now)
            }
            return record
        } catch {
            guard error.code == .storeUnavailable, let known, abs(now.timeIntervalSince(known.read)) < Self.patience
            else { throw error }
            entries.withLock { $0[id]?.asked = now }
            return known.record
        }
    }

    /// Forgets a record that has changed.
    func forget(_ id: String) { entries.withLock { $0[id] = nil } }
}
