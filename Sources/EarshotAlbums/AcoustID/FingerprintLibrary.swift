public import EarshotCore
public import Foundation
import Synchronization

/// Fingerprints with their tracks: an index that finds them, and a store that says what they are of.
///
/// The store is what counts. A fingerprint goes to the store first and to the index after, so that an end in between leaves one
/// that the index lacks, and ``importPending()`` gives it that. One object at a time may use a folder's index for writing.
public final class FingerprintLibrary: Sendable {
    /// Fingerprints of one index change at most, when the index is brought up to date.
    private static let batch = 10_000
    /// Fingerprints that are looked at of what the index finds: of one track there may be many.
    private static let mostMatches = 64
    /// Fingerprints of a track that a sent one is compared with.
    private static let mostCompared = 24
    /// Submissions that are read from the store at a time.
    private static let pendingAtATime = 100

    /// Where fingerprints are found.
    public let index: FingerprintIndex
    /// Where they are kept.
    public let store: any FingerprintStore
    private let makeID: @Sendable () -> UUID
    /// The last of the imports that follow each other.
    private let last = Mutex<Task<Result<Int, EarshotError>, Never>?>(nil)

    /// A library over its parts.
    ///
    /// - Parameters:
    ///   - index: Where fingerprints are found.
    ///   - store: Where they are kept.
    ///   - makeID: Gives new tracks their ids.
    public init(
        index: FingerprintIndex,
        store: any FingerprintStore,
        makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.index = index
        self.store = store
        self.makeID = makeID
    }

    // MARK: - Looking up

    /// The fingerprints that are like one. The call blocks.
    ///
    /// - Parameters:
    ///   - fingerprint: The query.
    ///   - durationDifference: By how many seconds the durations of the files may differ, 1 to 30.
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

    /// The tracks of fingerprints that were found, the likest first: at most ten.
    ///
    /// - Throws: What the store throws.
    public func results(of matches: [FingerprintMatch]) async throws(EarshotError) -> [AcoustIDMatcher.Result] {
        guard !matches.isEmpty else { return [] }
        return AcoustIDMatcher.results(matches, tracks: try await store.tracks(ofFingerprints: matches.map(\.id)))
    }

    // MARK: - Importing

    /// Imports what waits, and gives the index what it lacks. Calls follow each other.
    ///
    /// - Returns: How many submissions were imported.
    /// - Throws: What store and index throw; then the rest waits for the next call.
    @discardableResult
    public func importPending() async throws(EarshotError) -> Int {
        let task = last.withLock { last in
            let before = last
            let task = Task<Result<Int, EarshotError>, Never> { [self] in
                _ = await before?.value
                do throws(EarshotError) {
                    return .success(try await importNow())
                } catch {
                    return .failure(error)
                }
            }
            last = task
            return task
        }
        return try await task.value.get()
    }

    private func importNow() async throws(EarshotError) -> Int {
        try await updateIndex()
        var count = 0
        while true {
            let pending = try await store.pendingSubmissions(limit: Self.pendingAtATime)
            guard !pending.isEmpty else { return count }
            for (number, submission) in pending {
                try await importOne(number, submission)
                count += 1
            }
        }
    }

    /// Gives the index the fingerprints that it lacks: all of them where it is new, as after a backup was put back.
    private func updateIndex() async throws(EarshotError) {
        if index.count == 0, try await store.counts().fingerprints > 0 { try await store.forgetIndex() }
        while true {
            let missing = try await store.unindexedFingerprints(limit: Self.batch)
            guard !missing.isEmpty else { return }
            try await add(missing)
        }
    }

    private func add(_ stored: [StoredFingerprint]) async throws(EarshotError) {
        try await BlockingWork.run { [index] () throws(EarshotError) in
            // One that is damaged is not looked for again and again.
            try index.add(
                stored.compactMap { stored in
                    (try? stored.fingerprint()).flatMap {
                        $0.algorithm == index.algorithm
                            ? FingerprintIndex.Entry(id: stored.number, fingerprint: $0) : nil
                    }
                }
            )
        }
        try await store.markIndexed(stored.map(\.number))
    }

    private func importOne(_ number: Int, _ submission: FingerprintSubmission) async throws(EarshotError) {
        let decision = try await decision(on: submission)
        guard let added = try await store.complete(submission: number, decision) else { return }
        try await add([added])
    }

    private func decision(on submission: FingerprintSubmission) async throws(EarshotError) -> FingerprintDecision {
        let duration = MediaTime(value: Int64(submission.duration), timescale: 1)
        guard let fingerprint = try? FileFingerprint(text: submission.fingerprint, duration: duration),
            fingerprint.algorithm == index.algorithm
        else { return .refuse }
        let found = try await BlockingWork.run { [self] () throws(EarshotError) in try matches(for: fingerprint) }
        let tracks = Set(try await store.tracks(ofFingerprints: found.map(\.id)).values)
        let stored = try await store.fingerprints(
            of: tracks.sorted { $0.text < $1.text },
            limit: Self.mostCompared
        )
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
}
