public import EarshotCore
public import Foundation
import Synchronization

/// A history in memory, for the lifetime of the store: for tests, and for users who want no history to be kept.
public final class MemoryHistoryStore: HistoryStore {
    private struct State {
        /// In the order of their numbers.
        var entries: [HistoryEntry] = []
        var lastID = 0

        func index(of id: Int) -> Int? { entries.firstIndex { $0.id == id } }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates an empty history.
    ///
    /// - Parameter limit: The largest number of entries, at least one.
    public init(limit: Int = HistoryEntry.maximumCount) {
        self.limit = max(1, limit)
    }

    /// Adds a match, and removes the oldest entries beyond the limit.
    ///
    /// - Throws: `metadataInvalid` as ``HistoryEntry`` does.
    public func add(
        _ match: MusicMatch,
        by operation: HistoryEntry.Operation,
        at date: Date,
        place: HistoryPlace?,
        coverArt: HistoryEntry.CoverArt?,
        heard: Double?
    ) async throws(EarshotError) -> HistoryEntry {
        try state.withLock { state throws(EarshotError) in
            let entry = try HistoryEntry(
                id: state.lastID + 1,
                match: match,
                operation: operation,
                date: date,
                place: place,
                coverArt: coverArt,
                heard: heard
            )
            state.lastID = entry.id
            state.entries.append(entry)
            state.entries.removeFirst(max(0, state.entries.count - limit))
            return entry
        }
    }

    /// Returns a page of entries with numbers less than `id`, the newest first.
    public func entries(before id: Int?, offset: Int, limit: Int) async throws(EarshotError) -> [HistoryEntry] {
        state.withLock { state in
            let rows = state.entries.reversed().drop { entry in id.map { entry.id >= $0 } ?? false }
            return Array(rows.dropFirst(max(0, offset)).prefix(max(0, limit)))
        }
    }

    /// Returns an entry; `nil` if no entry has this number.
    public func entry(_ id: Int) async throws(EarshotError) -> HistoryEntry? {
        state.withLock { state in state.index(of: id).map { state.entries[$0] } }
    }

    /// Returns the number of entries.
    public func count() async throws(EarshotError) -> Int {
        state.withLock { $0.entries.count }
    }

    /// Sets the cover of an entry. Returns `true` if the entry exists.
    ///
    /// - Throws: `metadataInvalid` for a cover that is too large.
    public func setCoverArt(_ coverArt: HistoryEntry.CoverArt?, of id: Int) async throws(EarshotError) -> Bool {
        try HistoryEntry.check(coverArt: coverArt)
        return change(id) { $0.coverArt = coverArt }
    }

    /// Sets the duration for which a track was heard, in seconds. Returns `true` if the entry exists.
    ///
    /// - Throws: `metadataInvalid` for a duration that is negative or not finite.
    public func setHeard(_ heard: Double?, of id: Int) async throws(EarshotError) -> Bool {
        try HistoryEntry.check(heard: heard)
        return change(id) { $0.heard = heard }
    }

    private func change(_ id: Int, _ body: (inout HistoryEntry) -> Void) -> Bool {
        state.withLock { state in
            guard let index = state.index(of: id) else { return false }
            body(&state.entries[index])
            return true
        }
    }

    /// Removes an entry. Returns `true` if it existed.
    public func remove(_ id: Int) async throws(EarshotError) -> Bool {
        state.withLock { state in
            guard let index = state.index(of: id) else { return false }
            state.entries.remove(at: index)
            return true
        }
    }

    /// Removes all entries. Their numbers are not reused.
    public func clear() async throws(EarshotError) {
        state.withLock { $0.entries.removeAll() }
    }
}
