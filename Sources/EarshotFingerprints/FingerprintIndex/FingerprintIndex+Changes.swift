public import EarshotCore
import EarshotSegments
public import Foundation
import Synchronization

extension FingerprintIndex {
    /// Eight segments of like size become one. Sizes are numbers of fingerprints; eight sealed segments fill one.
    static let mergePolicy = MergePolicy(fanIn: 8, smallest: 8, sealed: FingerprintSegmentFormat.maximumDocuments / 8)

    /// A fingerprint with the number under which an index contains it.
    public struct Entry: Hashable, Sendable {
        /// The number of the fingerprint, chosen by the caller.
        public let id: UInt64
        /// The fingerprint of a file.
        public let fingerprint: FileFingerprint

        /// Creates an entry.
        public init(id: UInt64, fingerprint: FileFingerprint) {
            self.id = id
            self.fingerprint = fingerprint
        }
    }

    /// Adds fingerprints. Searches find them when the call returns.
    ///
    /// Segments are merged if there are many. If merging fails, ``mergeFailure`` has the error, and the fingerprints
    /// are added nevertheless. Each call writes a file, so add many at a time: up to about 500,000, which take a
    /// gigabyte of memory. An existing fingerprint with the same number is not replaced.
    ///
    /// - Throws: `requestInvalid` for fingerprints of another algorithm; `storeUnavailable` if the index was opened for
    ///   reading; `writeFailed`.
    public func add(_ entries: some Sequence<Entry>) throws(EarshotError) {
        // With no room for another it is tried once more whatever it came to before.
        if segmentCount >= mostSegments {
            care.withLock { $0.retry() }
            mergeSmall()
        }
        try change { snapshot throws(EarshotError) in
            guard snapshot.segments.count < mostSegments else { throw tooMany }
            let number = snapshot.manifest.nextNumber
            var count = 0
            try files.put(FingerprintManifest.segmentName(number)) { place throws(EarshotError) in
                let file = try AtomicFile(place)
                var writer = try FingerprintSegmentWriter(file, algorithm: algorithm)
                for entry in entries { try writer.add(entry.fingerprint, id: entry.id) }
                count = writer.count
                guard count > 0 else { return }
                try writer.finish()
                try file.commit(replacing: true)
            }
            guard count > 0 else { return }
            snapshot.segments.append(try Self.open(number, in: url))
            snapshot.manifest.entries.append(FingerprintManifest.Entry(number: number))
            snapshot.manifest.nextNumber += 1
        }
        mergeSmall()
    }

    /// Removes all fingerprints with the given numbers.
    ///
    /// - Returns: The number of fingerprints removed.
    /// - Throws: `storeUnavailable` if the index was opened for reading; `writeFailed`.
    @discardableResult
    public func remove(_ ids: Set<UInt64>) throws(EarshotError) -> Int {
        var count = 0
        try change { snapshot throws(EarshotError) in
            for (index, segment) in snapshot.segments.enumerated() {
                for number in 0..<segment.documentCount where ids.contains(segment.id(number)) {
                    if snapshot.manifest.entries[index].removed.insert(UInt32(number)).inserted { count += 1 }
                }
            }
        }
        return count
    }

    /// Merges all segments into one, without removed fingerprints. This temporarily needs as much additional space on
    /// the disk.
    ///
    /// - Throws: `storeDamaged`; `storeUnavailable` if the index was opened for reading; `writeFailed`;
    ///   `requestInvalid` for more than 16,777,216 fingerprints.
    public func merge() throws(EarshotError) {
        try change { snapshot throws(EarshotError) in
            let isWhole = snapshot.segments.count == 1 && snapshot.manifest.entries[0].removed.isEmpty
            if !snapshot.segments.isEmpty, !isWhole { try merge(&snapshot, Array(snapshot.segments.indices)) }
        }
    }

    /// Removes all fingerprints, and records the store that later numbers belong to.
    ///
    /// - Parameter owner: The identifier of the store; `nil` for none.
    /// - Throws: `storeUnavailable` if the index was opened for reading; `writeFailed`.
    public func reset(for owner: UUID?) throws(EarshotError) {
        try change { snapshot throws(EarshotError) in
            snapshot.manifest.owner = owner
            snapshot.manifest.entries = []
            snapshot.segments = []
        }
    }

    /// Merges the last segments where they have become many of one size. What was added is kept whatever comes of this, so a failure
    /// is noted and not thrown.
    private func mergeSmall() {
        guard care.withLock({ $0.isDue(segmentCount) }) else { return }
        do throws(EarshotError) {
            while try mergeOnce() {}
            care.withLock { $0.succeeded() }
        } catch {
            care.withLock { $0.failed(error, segments: segmentCount, waitingFor: Self.mergePolicy.fanIn) }
        }
    }

    /// Merges one run of segments, which takes effect by itself.
    ///
    /// - Returns: `true` if there may be another.
    private func mergeOnce() throws(EarshotError) -> Bool {
        var isMerged = false
        try change { snapshot throws(EarshotError) in
            let damaged = care.withLock { $0.damaged }
            let whole = snapshot.segments.indices.filter {
                !damaged.contains(snapshot.manifest.entries[$0].number)
            }
            // Removed fingerprints count: only a merge of all segments drops them on purpose.
            let sizes = whole.map { place in
                let count = snapshot.segments[place].documentCount
                return MergePolicy.Size(size: count, entryCount: count)
            }
            guard let range = Self.mergePolicy.plan(sizes) else { return }
            let places = Array(whole[range])
            isMerged = true
            do throws(EarshotError) {
                try merge(&snapshot, places)
            } catch {
                let found = places.filter { (try? snapshot.segments[$0].verify()) == nil }
                guard !found.isEmpty else { throw error }
                care.withLock { $0.failed(error, damaged: found.map { snapshot.manifest.entries[$0].number }) }
            }
        }
        return isMerged
    }

    /// Puts one segment in the place of several. When it fails the state is as it was.
    private func merge(_ snapshot: inout Snapshot, _ places: [Int]) throws(EarshotError) {
        let number = snapshot.manifest.nextNumber
        let sources = places.map {
            FingerprintSegmentMerger.Source(
                segment: snapshot.segments[$0],
                removed: snapshot.manifest.entries[$0].removed
            )
        }
        try files.put(FingerprintManifest.segmentName(number)) { place throws(EarshotError) in
            let file = try AtomicFile(place)
            try FingerprintSegmentMerger.merge(sources, to: file)
            try file.commit(replacing: true)
        }
        let merged = try Self.open(number, in: url)
        guard let first = places.first else { return }
        // From the last on, so that the others keep their places.
        for place in places.dropFirst().reversed() {
            snapshot.segments.remove(at: place)
            snapshot.manifest.entries.remove(at: place)
        }
        snapshot.segments[first] = merged
        snapshot.manifest.entries[first] = FingerprintManifest.Entry(number: number)
        snapshot.manifest.nextNumber += 1
    }

    /// Makes a change of the state, and lets it take effect when the manifest is written.
    func change(_ body: (inout Snapshot) throws(EarshotError) -> Void) throws(EarshotError) {
        guard lock != nil else {
            throw EarshotError(
                .storeUnavailable,
                "The fingerprint index at \(url.path) was opened for reading: open it for writing to change it."
            )
        }
        try changing.withLock { _ throws(EarshotError) in
            var next = snapshot
            let before = next.manifest
            try body(&next)
            guard next.manifest != before else { return }
            guard next.segments.count <= mostSegments else { throw tooMany }
            try files.commit(next.manifest.bytes, referencing: next.manifest.fileNames)
            replaceSnapshot(next)
            care.withLock { $0.keep(next.manifest.entries.map(\.number)) }
        }
    }

    /// One segment more, and the index could not be opened any longer.
    private var tooMany: EarshotError {
        EarshotError(
            .writeFailed,
            "The fingerprint index at \(url.path) has \(mostSegments) segments, which could not be merged: mend what its check "
                + "tells, or have it made again.",
            cause: mergeFailure
        )
    }
}
