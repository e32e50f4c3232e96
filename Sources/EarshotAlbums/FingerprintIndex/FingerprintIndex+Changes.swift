import EarshotCatalogs
public import EarshotCore
import Foundation
import Synchronization

extension FingerprintIndex {
    /// Segments of one size that become one; each size is about so many times the one before.
    private static let fanIn = 8

    /// A fingerprint and the number by which it is known.
    public struct Entry: Hashable, Sendable {
        /// The number, of the caller's choice.
        public let id: UInt64
        /// The fingerprint.
        public let fingerprint: FileFingerprint

        /// A fingerprint under a number.
        public init(id: UInt64, fingerprint: FileFingerprint) {
            self.id = id
            self.fingerprint = fingerprint
        }
    }

    /// Adds fingerprints. They are found when the call returns.
    ///
    /// Each call writes a file, so many should be added at a time: up to some 500,000, which take a gigabyte of memory. Nothing
    /// that is there under the same number is replaced.
    ///
    /// - Throws: `requestInvalid` for fingerprints of another algorithm; `storeUnavailable` when the index was opened for
    ///   reading; `writeFailed`.
    public func add(_ entries: some Sequence<Entry>) throws(EarshotError) {
        try change { snapshot throws(EarshotError) in
            let number = snapshot.manifest.nextNumber
            let file = try AtomicFile(Self.segmentURL(number, in: url))
            var writer = try FingerprintSegmentWriter(file, algorithm: algorithm)
            for entry in entries { try writer.add(entry.fingerprint, id: entry.id) }
            guard writer.count > 0 else { return }
            try writer.finish()
            try file.commit(replacing: true)
            snapshot.segments.append(try Self.open(number, in: url))
            snapshot.manifest.entries.append(FingerprintManifest.Entry(number: number))
            snapshot.manifest.nextNumber += 1
        }
        try mergeSmall()
    }

    /// Removes all fingerprints of some numbers.
    ///
    /// - Returns: How many there were.
    /// - Throws: `storeUnavailable` when the index was opened for reading; `writeFailed`.
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

    /// Makes one segment out of all, without what was removed. That takes as much room on the disk again for its time.
    ///
    /// - Throws: `storeDamaged`; `storeUnavailable` when the index was opened for reading; `writeFailed`; `requestInvalid` for
    ///   more than 16,777,216 fingerprints.
    public func merge() throws(EarshotError) {
        try change { snapshot throws(EarshotError) in
            let isWhole = snapshot.segments.count == 1 && snapshot.manifest.entries[0].removed.isEmpty
            if !snapshot.segments.isEmpty, !isWhole { try merge(&snapshot, snapshot.segments.indices) }
        }
    }

    /// Merges the last segments where they have become many of one size.
    private func mergeSmall() throws(EarshotError) {
        try change { snapshot throws(EarshotError) in
            while let range = Self.mergeable(snapshot.segments.map(\.documentCount)) {
                try merge(&snapshot, range)
            }
        }
    }

    /// The run of last segments that should become one: eight or more that are none larger than eight times the smallest.
    static func mergeable(_ counts: [Int]) -> Range<Int>? {
        guard counts.count >= fanIn else { return nil }
        var start = counts.count
        var (least, sum) = (Int.max, 0)
        while start > 0 {
            let count = counts[start - 1]
            least = min(least, count)
            guard count < least * fanIn, sum + count <= FingerprintSegmentFormat.maximumDocuments else { break }
            sum += count
            start -= 1
        }
        return counts.count - start >= fanIn ? start..<counts.count : nil
    }

    private func merge(_ snapshot: inout Snapshot, _ range: Range<Int>) throws(EarshotError) {
        let number = snapshot.manifest.nextNumber
        snapshot.manifest.nextNumber += 1
        let sources = range.map {
            FingerprintSegmentMerger.Source(
                segment: snapshot.segments[$0],
                removed: snapshot.manifest.entries[$0].removed
            )
        }
        let file = try AtomicFile(Self.segmentURL(number, in: url))
        try FingerprintSegmentMerger.merge(sources, to: file)
        try file.commit(replacing: true)
        snapshot.segments.replaceSubrange(range, with: [try Self.open(number, in: url)])
        snapshot.manifest.entries.replaceSubrange(range, with: [FingerprintManifest.Entry(number: number)])
    }

    /// Makes a change of the state, and lets it take effect when the manifest is written.
    private func change(_ body: (inout Snapshot) throws(EarshotError) -> Void) throws(EarshotError) {
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
            try AtomicFile.write(next.manifest.bytes, to: Self.manifestURL(url), replacing: true)
            replaceSnapshot(next)
            removeOrphans()
        }
    }

    static func open(_ number: UInt64, in folder: URL) throws(EarshotError) -> FingerprintSegment {
        let url = segmentURL(number, in: folder)
        let bytes: MappedBytes
        do throws(EarshotError) {
            bytes = try MappedBytes(contentsOf: url)
        } catch {
            throw EarshotError(
                .storeDamaged,
                "\(url.path) is missing or cannot be read: take it from a backup, or make the index again.",
                cause: error
            )
        }
        return try FingerprintSegment(bytes, name: url.path)
    }

    /// Removes segments that no manifest names: what a lost process or a merge has left.
    func removeOrphans() {
        let names = Set(snapshot.manifest.entries.map { Self.segmentURL($0.number, in: url).lastPathComponent })
        let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        for file in files where file.hasSuffix(".earprints") && !names.contains(file) {
            try? FileManager.default.removeItem(at: url.appendingPathComponent(file))
        }
    }
}
