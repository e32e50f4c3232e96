import EarshotCore

extension Segment {
    /// Where the postings of a key lie in the file; an empty range when the key does not occur.
    @inline(__always)
    func postings(of key: UInt32) -> Range<Int> {
        let bucket = Int(key >> UInt32(PairKey.bits - bucketBits))
        var low = Int(bytes.load(UInt32.self, at: bucketSpan.offset + bucket * 4))
        var high = min(Int(bytes.load(UInt32.self, at: bucketSpan.offset + bucket * 4 + 4)), keyCount)
        while low < high {
            let middle = (low + high) >> 1
            let other = bytes.load(UInt32.self, at: keySpan.offset + middle * 4)
            if other == key {
                let start = Int(bytes.load(UInt32.self, at: offsetSpan.offset + middle * 4))
                let end = Int(bytes.load(UInt32.self, at: offsetSpan.offset + middle * 4 + 4))
                guard start <= end, end <= postingSpan.count else { return 0..<0 }
                return postingSpan.offset + start..<postingSpan.offset + end
            }
            if other < key { low = middle + 1 } else { high = middle }
        }
        return 0..<0
    }

    /// Reads one number of a run of postings, in groups of seven bits, and steps over it.
    @inline(__always)
    func difference(at offset: inout Int, end: Int) -> Int {
        let base = bytes.base
        var byte = base[offset]
        offset += 1
        var number = Int(byte & 0x7F)
        var shift = 7
        while byte >= 0x80, offset < end, shift < 35 {
            byte = base[offset]
            offset += 1
            number |= Int(byte & 0x7F) << shift
            shift += 7
        }
        return number
    }
}
