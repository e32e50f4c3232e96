import EarshotCore
import EarshotSegments

/// The layout of a segment, which is also that of a catalog file; see `Docs/formats/catalog.md`.
enum SegmentFormat {
    static let layout = SectionLayout(
        magic: Array("EARSHCAT".utf8),
        majorVersion: 1,
        minorVersion: 1,
        countOffset: 44
    )
    /// The size of the record of a reference, in bytes.
    static let referenceSize = 64
    /// The largest number of references in one catalog.
    static let maximumReferences = 10_000_000
    /// The least number of frames between two references on the timeline.
    static let padding = 64

    /// Returns the first frame of the reference that follows one with the given end. It lies at a whole unit of the
    /// index, so that merging moves postings by whole units.
    static func firstFrame(behind end: Int) -> Int {
        let unit = 1 << PostingCode.unitShift
        return (end + padding + unit - 1) / unit * unit
    }

    /// The sections of a file. A reader ignores a section whose number it does not know.
    enum Section: UInt32, CaseIterable {
        /// Fixed records, one for each reference.
        case references = 1
        /// Names and media items.
        case info = 2
        /// Packed landmarks.
        case landmarks = 3
        /// Reference numbers, ordered by name.
        case names = 4
        /// The first key of each block of postings, ascending.
        case keys = 5
        /// For each value of a key's leading bits, the first block that begins with it.
        case buckets = 6
        /// The offset of each block in the postings.
        case offsets = 7
        /// The packed postings.
        case postings = 8
    }

    /// The number of leading bits of a key that select a bucket: about four blocks share one.
    static func bucketBits(blockCount: Int) -> Int {
        var bits = 0
        while bits < LandmarkKey.bits, blockCount >> bits > 4 { bits += 1 }
        return bits
    }
}
