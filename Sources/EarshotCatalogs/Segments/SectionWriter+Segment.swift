import EarshotCore
import EarshotSegments
import EarshotSignatures

extension SectionWriter {
    /// Creates a writer for a segment. Sections must be written in order of their numbers.
    init(segment sink: any SegmentSink) throws(EarshotError) {
        try self.init(sink, sectionCount: SegmentFormat.Section.allCases.count)
    }

    /// Reserves room for the directories of the postings, whose content is known only after the postings are written.
    mutating func reserveIndex(postingCount: Int) throws(EarshotError) {
        let blocks = (postingCount + PostingCode.blockSize - 1) / PostingCode.blockSize
        let buckets = 1 << SegmentFormat.bucketBits(blockCount: blocks) + 1
        try reserve(SegmentFormat.Section.keys, byteCount: blocks * 4)
        try reserve(SegmentFormat.Section.buckets, byteCount: buckets * 4)
        try reserve(SegmentFormat.Section.offsets, byteCount: (blocks + 1) * 4)
    }

    /// Fills the room that ``reserveIndex(postingCount:)`` reserved.
    mutating func fillIndex(blockKeys: [UInt32], offsets: [UInt32]) throws(EarshotError) {
        try fill(SegmentFormat.Section.keys, blockKeys)
        try fill(SegmentFormat.Section.buckets, Self.buckets(of: blockKeys))
        try fill(SegmentFormat.Section.offsets, offsets)
    }

    private static func buckets(of blockKeys: [UInt32]) -> [UInt32] {
        let bits = SegmentFormat.bucketBits(blockCount: blockKeys.count)
        var starts = [UInt32](repeating: 0, count: 1 << bits + 1)
        for key in blockKeys { starts[Int(key >> UInt32(LandmarkKey.bits - bits)) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        return starts
    }

    /// Writes the header of a segment. Nothing may be appended after this.
    ///
    /// - Parameter hasBits: `true` if a reference has dense bits, which readers of version 1.0 ignore.
    mutating func finish(
        referenceCount: Int,
        frameCount: Int,
        postingCount: Int,
        hasBits: Bool,
        limits: QueryLimits
    ) throws(EarshotError) {
        try finish { header, length, sectionCount in
            header.write(contentsOf: SegmentFormat.layout.magic)
            header.write(SegmentFormat.layout.majorVersion)
            header.write(hasBits ? SegmentFormat.layout.minorVersion : 0)
            header.write(SignatureConfiguration.standard.id)
            header.write(LandmarkKey.scheme)
            header.write(UInt32(referenceCount))
            header.write(length)
            header.write(UInt32(frameCount))
            header.write(UInt32(limits.minimumMilliseconds))
            header.write(UInt32(limits.maximumMilliseconds))
            header.write(sectionCount)
            header.write(UInt64(postingCount))
            header.write(UInt64(0))
        }
    }
}
