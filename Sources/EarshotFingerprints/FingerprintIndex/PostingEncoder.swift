import EarshotCore

/// Writes postings in ascending order as blocks, and collects what leads to them.
struct PostingEncoder {
    /// The first posting of each block.
    private(set) var keys: [UInt64] = []
    /// The offset of each block.
    private(set) var offsets: [UInt64] = []
    private(set) var count = 0
    private var last: UInt64 = 0
    private var size: UInt64 = 0

    /// Writes the next posting: a term above the number of a fingerprint, larger than all before it.
    @inline(__always)
    mutating func append(_ key: UInt64, to writer: inout ByteWriter) {
        if count % FingerprintSegmentFormat.blockSize == 0 {
            keys.append(key)
            offsets.append(size)
        } else {
            let before = writer.bytes.count
            writer.writeVariable(key &- last)
            size += UInt64(writer.bytes.count - before)
        }
        last = key
        count += 1
    }

    /// Ends the last block.
    mutating func finish() { offsets.append(size) }

    /// For each bucket the number of blocks that begin before it.
    var buckets: [UInt32] {
        let bits = FingerprintSegmentFormat.bucketBits(blockCount: keys.count)
        let shift = UInt64(FingerprintTerms.bits - bits) + FingerprintSegmentFormat.documentBits
        var starts = [UInt32](repeating: 0, count: 1 << Int(bits) + 1)
        for key in keys { starts[Int(key >> shift) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        return starts
    }
}
