import EarshotSegments
import EarshotCore

/// Fingerprints and their index, laid out for reading in place.
///
/// Opening checks the header and the shape of every section, so that later reads stay inside; the content of a section is looked
/// at when it is needed and never trusted: a damaged segment may answer wrongly, but it cannot make a read go astray.
/// ``verify()`` checks all of it.
final class FingerprintSegment: Sendable {
    private typealias Format = FingerprintSegmentFormat

    /// The fixed record of a fingerprint.
    struct Record: Hashable {
        var id: UInt64
        var milliseconds: UInt32
        /// Sub-fingerprints that it had.
        var count: Int
        /// The first of those kept, counted over all fingerprints.
        var firstValue: Int

        var keptCount: Int { FingerprintSegmentFormat.keptCount(of: count) }
    }

    let bytes: MappedBytes
    let name: String
    let algorithm: FileFingerprint.Algorithm
    let documentCount: Int
    let postingCount: Int
    let valueCount: Int
    let blockCount: Int
    let bucketBits: UInt32
    let documentSpan: SectionSpan
    let valueSpan: SectionSpan
    let keySpan: SectionSpan
    let bucketSpan: SectionSpan
    let offsetSpan: SectionSpan
    let postingSpan: SectionSpan

    /// Opens a segment.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - name: The name of the segment in errors.
    /// - Throws: `storeDamaged`.
    init(_ bytes: MappedBytes, name: String) throws(EarshotError) {
        let header = try FingerprintSegmentHeader(bytes, name: name)
        self.bytes = bytes
        self.name = name
        algorithm = header.algorithm
        documentCount = header.documentCount
        postingCount = header.postingCount
        valueCount = header.valueCount
        func span(_ section: Format.Section) -> SectionSpan { header.sections[section] ?? SectionSpan() }
        documentSpan = span(.documents)
        valueSpan = span(.values)
        keySpan = span(.keys)
        bucketSpan = span(.buckets)
        offsetSpan = span(.offsets)
        postingSpan = span(.postings)
        blockCount = keySpan.count / 8
        bucketBits = Format.bucketBits(blockCount: blockCount)
        guard documentSpan.count == documentCount * Format.recordSize, valueSpan.count / 4 == valueCount,
            valueSpan.count % 4 == 0, keySpan.count == blockCount * 8, offsetSpan.count == (blockCount + 1) * 8,
            bucketSpan.count == (1 << Int(bucketBits) + 1) * 4,
            // The number of postings may be any: no sum of it, which could overflow.
            postingCount <= blockCount * Format.blockSize, postingCount > (blockCount - 1) * Format.blockSize,
            postingSpan.count >= postingCount - blockCount
        else { throw Self.damaged(name, "its parts do not fit together") }
    }

    static func damaged(_ name: String, _ what: String) -> EarshotError {
        EarshotError(.storeDamaged, "\(name) is damaged (\(what)): take it from a backup, or make the index again.")
    }

    /// The record of a fingerprint; `nil` if it does not fit into the segment.
    func record(_ number: Int) -> Record? {
        guard number >= 0, number < documentCount else { return nil }
        let at = documentSpan.offset + number * FingerprintSegmentFormat.recordSize
        let record = Record(
            id: bytes.load(UInt64.self, at: at),
            milliseconds: bytes.load(UInt32.self, at: at + 8),
            count: Int(bytes.load(UInt32.self, at: at + 12)),
            firstValue: Int(clamping: bytes.load(UInt64.self, at: at + 16))
        )
        guard record.count > 0, record.count <= FileFingerprint.maximumCount, record.firstValue <= valueCount,
            record.keptCount <= valueCount - record.firstValue
        else { return nil }
        return record
    }

    /// The number under which a fingerprint was added.
    func id(_ number: Int) -> UInt64 {
        bytes.load(UInt64.self, at: documentSpan.offset + number * FingerprintSegmentFormat.recordSize)
    }

    /// The duration of the file of a fingerprint.
    func milliseconds(_ number: Int) -> UInt32 {
        bytes.load(UInt32.self, at: documentSpan.offset + number * FingerprintSegmentFormat.recordSize + 8)
    }

    /// Calls `body` with the sub-fingerprints that are kept of a record.
    func withValues<Result>(_ record: Record, _ body: (UnsafeBufferPointer<UInt32>) -> Result) -> Result {
        let start = valueSpan.offset + record.firstValue * 4
        let run = UnsafeRawBufferPointer(rebasing: bytes.base[start..<start + record.keptCount * 4])
        // Sections begin at multiples of eight bytes, and every machine that Swift runs on is little-endian.
        return run.withMemoryRebound(to: UInt32.self, body)
    }

    /// Checks every byte against its checksum.
    ///
    /// - Throws: `storeDamaged` with the damaged part.
    func verifyChecksums() throws(EarshotError) {
        let spans = [documentSpan, valueSpan, keySpan, bucketSpan, offsetSpan, postingSpan]
        for (section, span) in zip(["documents", "values", "keys", "buckets", "offsets", "postings"], spans) {
            guard bytes.checksum(of: span.range) == span.checksum else {
                throw Self.damaged(name, "the checksum of its \(section) does not fit")
            }
        }
    }

    /// Checks every byte against its checksum, and every record and posting against the rules of the format.
    ///
    /// - Throws: `storeDamaged` with the damaged part.
    func verify() throws(EarshotError) {
        try verifyChecksums()
        var next = 0
        for number in 0..<documentCount {
            guard let record = record(number), record.firstValue == next else {
                throw Self.damaged(name, "fingerprint \(number + 1) breaks the format")
            }
            next += record.keptCount
        }
        guard next == valueCount else { throw Self.damaged(name, "there are more sub-fingerprints than records") }
        try verifyPostings()
    }

    private func verifyPostings() throws(EarshotError) {
        var cursor = PostingCursor(self)
        var last: UInt64?
        var count = 0
        while let key = cursor.current {
            guard last.map({ $0 < key }) ?? true, Int(key & (1 << Format.documentBits - 1)) < documentCount,
                key >> (Format.documentBits + UInt64(FingerprintTerms.bits)) == 0
            else { throw Self.damaged(name, "posting \(count + 1) breaks the format") }
            last = key
            count += 1
            cursor.advance()
        }
        guard count == postingCount, hasOrderedBuckets else { throw Self.damaged(name, "postings are missing") }
    }

    /// `true` if the buckets lead to the blocks.
    private var hasOrderedBuckets: Bool {
        var encoder = [UInt32](repeating: 0, count: 1 << Int(bucketBits) + 1)
        for block in 0..<blockCount { encoder[Int(bucket(of: term(ofBlock: block))) + 1] += 1 }
        for index in 1..<encoder.count { encoder[index] += encoder[index - 1] }
        return encoder.indices.allSatisfy { encoder[$0] == bytes.load(UInt32.self, at: bucketSpan.offset + $0 * 4) }
    }
}
