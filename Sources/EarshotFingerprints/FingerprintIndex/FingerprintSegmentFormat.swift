import EarshotSegments

/// The layout of a segment of a fingerprint index: `Docs/formats/fingerprints.md`.
enum FingerprintSegmentFormat {
    static let layout = SectionLayout(
        magic: Array("EARSHFPX".utf8),
        majorVersion: 1,
        minorVersion: 0,
        countOffset: 52,
        alignment: 8
    )
    static let recordSize = 24
    /// Fingerprints in one segment: the bits of their numbers in a posting.
    static let documentBits: UInt64 = 24
    static let maximumDocuments = 1 << 24
    /// Postings in one block.
    static let blockSize = 128
    /// Of so many sub-fingerprints the first is kept: neighbours differ little, and a query has all of its own.
    static let step = 4
    /// Sub-fingerprints that count, from the begin: 127 s.
    static let mostValues = FileFingerprint.comparedCount

    /// The parts of a file. A number that a reader does not know is passed over.
    enum Section: UInt32, CaseIterable {
        /// Fixed records, one a fingerprint.
        case documents = 1
        /// Sub-fingerprints that are kept.
        case values = 2
        /// The first posting of each block.
        case keys = 3
        /// For the leading bits of a term, the first block that begins with them.
        case buckets = 4
        /// The offset of each block.
        case offsets = 5
        /// Postings.
        case postings = 6
    }

    /// Returns the number of leading bits of a term that select a bucket: about four blocks share one.
    static func bucketBits(blockCount: Int) -> UInt32 {
        var bits: UInt32 = 0
        while bits < FingerprintTerms.bits, blockCount >> Int(bits) > 4 { bits += 1 }
        return bits
    }

    /// Returns the number of sub-fingerprints kept of `count`.
    static func keptCount(of count: Int) -> Int { (min(count, mostValues) + step - 1) / step }
}
