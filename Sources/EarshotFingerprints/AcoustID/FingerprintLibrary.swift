public import EarshotCore
public import Foundation
import Synchronization

/// Fingerprints with their tracks: an index that finds them, and a store with their tracks and metadata.
///
/// The store is authoritative. A fingerprint is added to the store first, and the index follows the store by its last
/// number: so it gets fingerprints of interrupted imports and of other programs too. One object at a time can open an
/// index for writing, and one at a time should import: two that decide on fingerprints of one recording at the same
/// moment begin two tracks.
public final class FingerprintLibrary: Sendable {
    /// The name of the lease that a node must hold to import, if several nodes share a store.
    package static let importLease = "fingerprints/import"
    /// Fingerprints of one index change at most, when the index is brought up to date, and bytes of their texts.
    private static let batch = 10_000
    private static let batchBytes = 64 << 20
    /// Fingerprints that are looked at of what the index finds: of one track there may be many.
    private static let mostMatches = 64
    /// Of a track, the oldest fingerprints that a sent one is compared with, besides those that the index finds.
    private static let mostCompared = 24
    /// Fingerprints that are compared with the store at a time, where it was put back to an earlier time.
    private static let comparedAtATime = 100
    /// Submissions that are read from the store at a time, and bytes of what they say.
    private static let pendingAtATime = 100
    private static let pendingBytes = 16 << 20

    /// The index in which fingerprints are searched.
    public let index: FingerprintIndex
    /// The store of fingerprints and tracks.
    public let store: any FingerprintTrackStore
    private let makeID: @Sendable () -> UUID
    /// The time for which imports wait, so that the index gets them together.
    private let patience: Duration
    /// The last of the imports that follow each other.
    private let last = Mutex<Task<Result<Int, EarshotError>, Never>?>(nil)
    /// The number of the last fingerprint that was given to the index, or left out of it because it is damaged or of another algorithm.
    private let passed = Mutex<UInt64>(0)

    /// Creates a library from an index and a store.
    ///
    /// - Parameters:
    ///   - index: The index of fingerprints.
    ///   - store: The store of fingerprints and tracks.
    ///   - makeID: Returns the identifier for a new track.
    public convenience init(
        index: FingerprintIndex,
        store: any FingerprintTrackStore,
        makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.init(index: index, store: store, makeID: makeID, patience: .seconds(1))
    }

    /// The same with another patience, as tests have it that must not depend on how fast a machine is.
    init(
        index: FingerprintIndex,
        store: any FingerprintTrackStore,
        makeID: @escaping @Sendable () -> UUID = { UUID() },
        patience: Duration
    ) {
        self.index = index
        self.store = store
        self.makeID = makeID
        self.patience = patience
    }

    // MARK: - Looking up

    /// Searches the index for fingerprints that are similar to one. Blocks the thread.
    ///
    /// - Parameters:
    ///   - fingerprint: The query.
    ///   - durationDifference: The largest difference between the durations of the files, in seconds, 1 to 30.
    /// - Returns: The matches, most similar first.
    /// - Throws: `requestInvalid` for a difference outside the limits.
    public func matches(
        for fingerprint: FileFingerprint,
        durationDifference: Int = AcoustIDMatcher.durationDifference
    ) throws(EarshotError) -> [FingerprintMatch] {
        var options = FingerprintSearchOptions()
        options.durationDifference = durationDifference
        options.maximumResults = Self.mostMatches
        return try index.search(for: fingerprint, options: options)
    }

    /// Returns the tracks of matching fingerprints, most similar first; at most ten.
    ///
    /// - Throws: The store's errors.
    public func results(of matches: [FingerprintMatch]) async throws(EarshotError) -> [AcoustIDMatcher.Result] {
        guard !matches.isEmpty else { return [] }
        return AcoustIDMatcher.results(matches, tracks: try await store.tracks(ofFingerprints: matches.map(\.id)))
    }

    /// Returns the states of submissions by number; unknown numbers are missing. A submission is reported as imported
    /// once the index contains its fingerprint.
    ///
    /// - Throws: The store's errors.
    public func states(
        ofSubmissions numbers: [Int]
    ) async throws(EarshotError) -> [Int: FingerprintSubmission.State] {
        // An index of another store has nothing of this one yet.
        let isOwn = index.owner == (try await store.id())
        return try await store.states(ofSubmissions: numbers, indexedThrough: isOwn ? position : 0)
    }

    // MARK: - Importing

    /// Imports all pending submissions, and updates the index. Concurrent calls run one after the other.
    ///
    /// - Returns: The number of submissions imported.
    /// - Throws: The errors of store and index; the rest is imported by the next call. `cancelled`, between two
    ///   submissions.
    @discardableResult
    public func importPending() async throws(EarshotError) -> Int {
        try await inTurn { [self] () async throws(EarshotError) in
            try await bringUpToDate()
            return try await importNow()
        }
    }

    /// Adds to the index the fingerprints of the store that it lacks, for example because other programs import. Runs
    /// after earlier calls and imports.
    ///
    /// - Returns: The number of fingerprints in the index.
    /// - Throws: The errors of store and index, and `cancelled`; the next call continues.
    @discardableResult
    public func updateIndex() async throws(EarshotError) -> Int {
        try await inTurn { [self] () async throws(EarshotError) in
            try await bringUpToDate()
            return index.count
        }
    }

    /// Rebuilds the index from the store, for example if it is damaged. Until it is complete, searches find only a
    /// part.
    ///
    /// - Returns: The number of fingerprints in the index.
    /// - Throws: The errors of store and index, and `cancelled`; `importPending()` continues.
    @discardableResult
    public func remakeIndex() async throws(EarshotError) -> Int {
        try await inTurn { [self] () async throws(EarshotError) in
            try await emptyIndex(for: try await store.id())
            try await followStore()
            return index.count
        }
    }

    private func inTurn(
        _ work: @escaping @Sendable () async throws(EarshotError) -> Int
    ) async throws(EarshotError) -> Int {
        let task = last.withLock { last in
            let before = last
            let task = Task<Result<Int, EarshotError>, Never> {
                _ = await before?.value
                do throws(EarshotError) {
                    try Self.checkCancellation()
                    return .success(try await work())
                } catch {
                    return .failure(error)
                }
            }
            last = task
            return task
        }
        // A task of its own does not know that its caller's was canceled.
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    private static func checkCancellation() throws(EarshotError) {
        if Task.isCancelled {
            throw EarshotError(.cancelled, "The import of fingerprints was canceled: the rest waits for the next one.")
        }
    }

    // MARK: - The index

    /// The number of the last fingerprint that the index has or cannot take.
    private var position: UInt64 { max(index.lastID, passed.withLock { $0 }) }

    /// Gives the index the fingerprints that it lacks: all of them where it is new, or made of another store's.
    private func bringUpToDate() async throws(EarshotError) {
        let owner = try await store.id()
        if index.owner != owner {
            try await emptyIndex(for: owner)
        } else {
            try await removeLost()
        }
        try await followStore()
    }

    /// Removes the fingerprints that the store has lost, or has others in the place of. Nothing is ever removed from a store: it was put
    /// back to an earlier time, as when a standby that lagged has taken over, and gives numbers again.
    ///
    /// What it has kept is found meanwhile. To make the index again would take a node minutes, and all nodes at the same time.
    private func removeLost() async throws(EarshotError) {
        let position = position
        guard position > 0 else { return }
        let (index, last) = (index, try await store.fingerprint(position))
        // One that the index could not take cannot be compared.
        if let last, position > index.lastID || Self.entry(last, in: index).map(index.holds) ?? false { return }
        var lost: UInt64?
        var end = UInt64.max
        while true {
            try Self.checkCancellation()
            let ids = index.ids(below: end, limit: Self.comparedAtATime)
            let stored = try await store.fingerprints(ids)
            let wrong = try await BlockingWork.run { () throws(EarshotError) in
                let kept = Set(stored.filter { Self.entry($0, in: index).map(index.holds) ?? false }.map(\.number))
                return ids.last { !kept.contains($0) }
            }
            // Numbers are given in order: where so many are right, all before them are.
            guard let wrong, let first = ids.last else { break }
            (lost, end) = (wrong, first)
        }
        if let lost {
            try await BlockingWork.run { () throws(EarshotError) in try index.removeAll(from: lost) }
        }
        passed.withLock { $0 = 0 }
    }

    /// A fingerprint as an index has it; `nil` if the index cannot take it.
    private static func entry(_ stored: StoredFingerprint, in index: FingerprintIndex) -> FingerprintIndex.Entry? {
        guard let fingerprint = try? stored.fingerprint(), fingerprint.algorithm == index.algorithm else { return nil }
        return FingerprintIndex.Entry(id: stored.number, fingerprint: fingerprint)
    }

    private func emptyIndex(for owner: UUID) async throws(EarshotError) {
        try await BlockingWork.run { [index] () throws(EarshotError) in try index.reset(for: owner) }
        passed.withLock { $0 = 0 }
    }

    private func followStore() async throws(EarshotError) {
        while true {
            try Self.checkCancellation()
            let missing = try await store.fingerprints(
                after: position,
                limit: Self.batch,
                byteLimit: Self.batchBytes
            )
            guard let end = missing.last?.number else { return }
            try await BlockingWork.run { [index] () throws(EarshotError) in
                // One that is damaged is not looked for again and again.
                try index.add(missing.compactMap { Self.entry($0, in: index) })
            }
            passed.withLock { $0 = end }
        }
    }

    // MARK: - Submissions

    /// A fingerprint that was imported and is not yet in the index.
    private struct Waiting {
        let number: UInt64
        let fingerprint: FileFingerprint
    }

    private func importNow() async throws(EarshotError) -> Int {
        var count = 0
        while true {
            let pending = try await store.pendingSubmissions(limit: Self.pendingAtATime, byteLimit: Self.pendingBytes)
            guard !pending.isEmpty else { return count }
            // Those that begin or join a track go to the index together: each change of it writes a file.
            var waiting: [Waiting] = []
            var begin = ContinuousClock.now
            for (number, submission) in pending {
                try Self.checkCancellation()
                if let one = try await importOne(number, submission, beside: waiting) { waiting.append(one) }
                count += 1
                if begin.duration(to: .now) > patience {
                    try await followStore()
                    waiting = []
                    begin = .now
                }
            }
            try await followStore()
        }
    }

    private func importOne(
        _ number: Int,
        _ submission: FingerprintSubmission,
        beside waiting: [Waiting]
    ) async throws(EarshotError) -> Waiting? {
        let duration = MediaTime(value: Int64(submission.duration), timescale: 1)
        guard let whole = try? FileFingerprint(text: submission.fingerprint, duration: duration),
            whole.algorithm == index.algorithm
        else {
            _ = try await store.complete(submission: number, .refuse)
            return nil
        }
        let fingerprint = whole.compared
        let decision = try await decision(on: fingerprint, beside: waiting)
        let added = try await store.complete(submission: number, decision)
        return added.map { Waiting(number: $0.number, fingerprint: fingerprint) }
    }

    private func decision(
        on fingerprint: FileFingerprint,
        beside waiting: [Waiting]
    ) async throws(EarshotError) -> FingerprintDecision {
        let found = try await BlockingWork.run { [self] () throws(EarshotError) in
            try matches(for: fingerprint).map(\.id)
                + waiting.filter { Self.isFound($0.fingerprint, by: fingerprint) }.map(\.number)
        }
        let tracks = Set(try await store.tracks(ofFingerprints: found).values)
        // Of a track with many, the likest may be none of the oldest: what was found is compared in any case.
        let oldest = try await store.fingerprints(of: tracks.sorted { $0.text < $1.text }, limit: Self.mostCompared)
        let known = Set(oldest.map(\.number))
        let stored = oldest + (try await store.fingerprints(found.filter { !known.contains($0) }))
        return try await BlockingWork.run { [makeID] () throws(EarshotError) in
            let candidates = Dictionary(grouping: stored, by: \.track).map { track, stored in
                AcoustIDMatcher.Candidate(
                    track: track,
                    fingerprints: stored.compactMap { one in
                        (try? one.fingerprint()).map { (one.number, $0) }
                    }
                )
            }
            return AcoustIDMatcher.decision(on: fingerprint, among: candidates, newTrack: makeID())
        }
    }

    /// Returns `true` if a search of the index with one fingerprint would find another.
    private static func isFound(_ other: FileFingerprint, by fingerprint: FileFingerprint) -> Bool {
        let options = FingerprintSearchOptions()
        return abs((other.duration - fingerprint.duration).seconds) <= Double(AcoustIDMatcher.durationDifference)
            && fingerprint.similarity(to: other).score >= options.minimumScore
    }
}
