public import EarshotCore
import EarshotSegments
public import Foundation
import Synchronization

/// An index on disk of the fingerprints of any number of files, which can be searched for similar ones.
///
/// The index is a folder of immutable segments, mapped into memory, and a manifest. Additions become a new segment,
/// removals are recorded in the manifest, and segments of similar size are merged if there are many. Every change is
/// atomic. Any number of processes may read a folder; one at a time may change it.
///
/// Searches may run on any thread while the index is changed. All functions block: call them outside the threads of
/// Swift concurrency.
public final class FingerprintIndex: Sendable {
    /// The access to an index: reading or writing.
    public enum Access: Hashable, Sendable {
        /// Searches only.
        case reading
        /// Searches and changes. The folder is created if it does not exist.
        case writing
    }

    /// The state that a search sees, and that a change puts another in the place of.
    struct Snapshot {
        var manifest: FingerprintManifest
        /// In the order of the manifest.
        var segments: [FingerprintSegment]
    }

    /// The folder of the index.
    public let url: URL
    /// The algorithm of all fingerprints in the index.
    public let algorithm: FileFingerprint.Algorithm
    /// Absent when the index is only read.
    let lock: StoreLock?
    let files: StoreFolder
    private let state: Mutex<Snapshot>
    /// The state of failed merges.
    let care = Mutex(MergeRetryState())
    /// Segments that there may be.
    let mostSegments: Int
    /// Held through a change, so that changes follow each other while searches go on.
    let changing = Mutex(())

    /// Opens an index.
    ///
    /// - Parameters:
    ///   - url: The folder of the index.
    ///   - access: The access: reading or writing.
    ///   - algorithm: The algorithm of a new index; an existing one keeps its own.
    /// - Throws: `storeUnavailable` if there is none to read, it may not be read, or another process changes it;
    ///   `storeDamaged`; `writeFailed`.
    public convenience init(
        at url: URL,
        access: Access,
        algorithm: FileFingerprint.Algorithm = .standard
    ) throws(EarshotError) {
        try self.init(at: url, access: access, algorithm: algorithm, mostSegments: FingerprintManifest.maximumSegments)
    }

    init(
        at url: URL,
        access: Access,
        algorithm: FileFingerprint.Algorithm = .standard,
        mostSegments: Int
    ) throws(EarshotError) {
        (self.url, self.mostSegments) = (url, mostSegments)
        files = StoreFolder(url, names: [FingerprintManifest.segmentName])
        lock = access == .writing ? try Self.takeLock(url) : nil
        if access == .writing, try Self.readManifest(url) == nil { try Self.begin(algorithm, in: files) }
        let snapshot = try Self.load(url) { () throws(EarshotError) in try Self.readManifest(url) }
        self.algorithm = snapshot.manifest.algorithm
        state = Mutex(snapshot)
        if access == .writing { files.removeFiles(except: snapshot.manifest.fileNames) }
    }

    var snapshot: Snapshot { state.withLock { $0 } }

    func replaceSnapshot(_ snapshot: Snapshot) { state.withLock { $0 = snapshot } }

    /// The identifier of the store that the numbers belong to, as given to `reset(for:)`; `nil` if none was given.
    /// Numbers of one store are invalid in the index of another.
    public var owner: UUID? { snapshot.manifest.owner }

    /// The error of the last merge of segments; `nil` if it succeeded. After an error the index still accepts
    /// fingerprints, and searches take longer.
    public var mergeFailure: EarshotError? { care.withLock { $0.failure } }

    /// The number of fingerprints in the index, without removed ones.
    public var count: Int {
        let snapshot = snapshot
        return zip(snapshot.segments, snapshot.manifest.entries).reduce(0) {
            $0 + $1.0.documentCount - $1.1.removed.count
        }
    }

    /// The number of segments of the index.
    public var segmentCount: Int { snapshot.segments.count }

    /// Searches for fingerprints of the same recording as a query.
    ///
    /// First, fingerprints that share terms with the query are compared. If none matches, terms with one damaged bit
    /// are looked up, and then with two; that takes several times as long.
    ///
    /// - Parameters:
    ///   - fingerprint: The query. One of another algorithm than ``algorithm`` finds nothing.
    ///   - options: The options of the search.
    /// - Returns: The matches, most similar first, each number once.
    /// - Throws: `requestInvalid` for options outside their limits.
    public func search(
        for fingerprint: FileFingerprint,
        options: FingerprintSearchOptions = .init()
    ) throws(EarshotError) -> [FingerprintMatch] {
        try options.check()
        let snapshot = snapshot
        let query = FingerprintQuery(fingerprint, options)
        let all = snapshot.segments.reduce(0) { $0 + $1.documentCount }
        let stages: [() -> [UInt32]] = [
            { query.terms }, { query.neighbours }, { query.secondNeighbours },
        ]
        for stage in stages.prefix(options.searchesNear ? stages.count : 1) {
            let terms = stage()
            let found = zip(snapshot.segments, snapshot.manifest.entries).flatMap { segment, entry in
                segment.matches(
                    query,
                    terms: terms,
                    removed: entry.removed,
                    budget: FingerprintQuery.budget(segment.documentCount, of: all)
                )
            }
            if !found.isEmpty { return Self.best(found, most: options.maximumResults) }
        }
        return []
    }

    private static func best(_ matches: [FingerprintMatch], most: Int) -> [FingerprintMatch] {
        var seen = Set<UInt64>()
        let sorted = matches.sorted { ($0.score, $1.id) > ($1.score, $0.id) }
        return Array(sorted.filter { seen.insert($0.id).inserted }.prefix(most))
    }

    /// Checks every byte of every segment.
    ///
    /// - Throws: `storeDamaged` with the damaged part.
    public func verify() throws(EarshotError) {
        for segment in snapshot.segments { try segment.verify() }
    }
}
