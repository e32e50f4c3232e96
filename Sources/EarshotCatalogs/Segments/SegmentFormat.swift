import EarshotCore
import EarshotSegments

/// The layout of a segment, which is also that of a catalog file: `Docs/formats/catalog.md`.
enum SegmentFormat {
    static let layout = SectionLayout(
        magic: Array("EARSHCAT".utf8),
        majorVersion: 1,
        minorVersion: 1,
        countOffset: 44
    )
    static let referenceSize = 64
    /// References that one catalog can hold.
    static let maximumReferences = 10_000_000
    /// Frames between two references on the timeline, at least.
    static let padding = 64

    /// The first frame of the reference after one that ends at a frame: at a whole unit of the index, so that postings
    /// move by whole units when segments are merged.
    static func firstFrame(behind end: Int) -> Int {
        let unit = 1 << PostingCode.unitShift
        return (end + padding + unit - 1) / unit * unit
    }

    /// The parts of a file. A number that a reader does not know is passed over.
    enum Section: UInt32, CaseIterable {
        /// Fixed records, one a reference.
        case references = 1
        /// Names and media items.
        case info = 2
        /// Packed landmarks.
        case landmarks = 3
        /// Reference numbers, ordered by name.
        case names = 4
        /// The first key of each block of postings, ascending.
        case keys = 5
        /// For the leading bits of a key, the first block that begins with them.
        case buckets = 6
        /// The offset of each block.
        case offsets = 7
        /// Postings.
        case postings = 8
    }

    /// The number of leading bits of a key that select a bucket: about four blocks share one.
    static func bucketBits(blockCount: Int) -> Int {
        var bits = 0
        while bits < LandmarkKey.bits, blockCount >> bits > 4 { bits += 1 }
        return bits
    }
}
