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

    /// Calls `body` with each frame of a run of postings. Frames beyond the timeline, which only damage can make, end it.
    @inline(__always)
    func forEachFrame(in range: Range<Int>, _ body: (Int) -> Void) {
        let base = bytes.base
        var offset = range.lowerBound
        var frame = 0
        while offset < range.upperBound {
            var byte = base[offset]
            offset += 1
            var delta = Int(byte & 0x7F)
            var shift = 7
            while byte >= 0x80, offset < range.upperBound, shift < 35 {
                byte = base[offset]
                offset += 1
                delta |= Int(byte & 0x7F) << shift
                shift += 7
            }
            frame += delta
            guard frame < frameCount else { return }
            body(frame)
        }
    }
}
