import EarshotCore
import EarshotSegments

extension Segment {
    /// Returns the blocks that may hold postings of a range of keys; an empty range if none can.
    @inline(__always)
    func blocks(of keys: Range<UInt32>) -> Range<Int> {
        let first = firstBlock(from: keys.lowerBound)
        // The block before may end with keys of the range.
        let low = max(0, first - 1)
        let high = firstBlock(from: keys.upperBound)
        return low < high ? low..<high : low..<low
    }

    /// Returns the blocks that may hold postings of one key.
    ///
    /// - Parameters:
    ///   - bucket: The result of ``bucket(of:)`` for the key.
    ///   - most: The largest number of blocks of interest; if there are more, one more is returned.
    @inline(__always)
    func blocks(of key: UInt32, in bucket: (low: Int, high: Int), atMost most: Int) -> Range<Int> {
        var first = bucket.low
        var high = bucket.high
        while high - first > 8 {
            let middle = (first + high) >> 1
            if bytes.load(UInt32.self, at: keySpan.offset + middle * 4) < key {
                first = middle + 1
            } else {
                high = middle
            }
        }
        while first < high, bytes.load(UInt32.self, at: keySpan.offset + first * 4) < key { first += 1 }
        let end = min(blockCount, first + most)
        var last = first
        // The blocks of a key may extend beyond its bucket.
        while last < end, bytes.load(UInt32.self, at: keySpan.offset + last * 4) == key { last += 1 }
        let low = max(0, first - 1)
        return low < last ? low..<last : low..<low
    }

    /// Returns the first block of a key's bucket and that of the next bucket.
    @inline(__always)
    func bucket(of key: UInt32) -> (low: Int, high: Int) {
        let bucket = Int(key >> UInt32(LandmarkKey.bits - bucketBits))
        guard bucket < 1 << bucketBits else { return (blockCount, blockCount) }
        let low = Int(bytes.load(UInt32.self, at: bucketSpan.offset + bucket * 4))
        let high = Int(bytes.load(UInt32.self, at: bucketSpan.offset + bucket * 4 + 4))
        return (min(low, blockCount), min(high, blockCount))
    }

    /// Returns the first block whose first key is at least `key`.
    @inline(__always)
    private func firstBlock(from key: UInt32) -> Int {
        let bucket = Int(key >> UInt32(LandmarkKey.bits - bucketBits))
        guard bucket < 1 << bucketBits else { return blockCount }
        var low = Int(bytes.load(UInt32.self, at: bucketSpan.offset + bucket * 4))
        var high = min(Int(bytes.load(UInt32.self, at: bucketSpan.offset + bucket * 4 + 4)), blockCount)
        while low < high {
            let middle = (low + high) >> 1
            if bytes.load(UInt32.self, at: keySpan.offset + middle * 4) < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return min(low, blockCount)
    }

    /// Loads the start of blocks that are about to be read. They lie far apart. The processor waits for many of these
    /// loads at a time, while decoding waits for each by itself.
    ///
    /// - Returns: A number without meaning, which keeps the loads from being optimized away.
    func touch(_ runs: some Sequence<Range<Int>>) -> UInt8 {
        let last = max(0, postingSpan.count - 1)
        var sum: UInt8 = 0
        for run in runs {
            let start = Int(bytes.load(UInt32.self, at: offsetSpan.offset + run.lowerBound * 4))
            let end = Int(bytes.load(UInt32.self, at: offsetSpan.offset + run.upperBound * 4))
            // In steps of a cache line. A damaged offset must not lead outside of the section, nor far.
            for place in stride(from: min(start, last), to: min(end, start + 4_096, postingSpan.count), by: 64) {
                sum &+= bytes.base[postingSpan.offset + place]
            }
        }
        return sum
    }

    /// `true` if the first keys of the blocks ascend and the buckets lead to them, so that a lookup takes no longer
    /// than it should.
    var hasOrderedBlocks: Bool {
        var (last, bucket) = (UInt32(0), 0)
        for block in 0...blockCount {
            let key = block < blockCount ? bytes.load(UInt32.self, at: keySpan.offset + block * 4) : UInt32.max
            guard key >= last, key < 1 << UInt32(LandmarkKey.bits) || block == blockCount else { return false }
            let end = block < blockCount ? Int(key >> UInt32(LandmarkKey.bits - bucketBits)) : 1 << bucketBits
            // These buckets must lead to this block: no earlier block begins with their leading bits.
            while bucket <= end {
                guard bytes.load(UInt32.self, at: bucketSpan.offset + bucket * 4) == UInt32(block) else { return false }
                bucket += 1
            }
            last = key
        }
        return true
    }

    /// Calls `body` with the unit of every posting in a range of keys.
    ///
    /// - Parameter blocks: The result of ``blocks(of:)`` for these keys.
    @inline(__always)
    func forEachPosting(of keys: Range<UInt32>, in blocks: Range<Int>, _ body: (UInt32) -> Void) {
        forEachKey(of: keys, in: blocks) { _, unit in body(unit) }
    }

    /// Calls `body` with the key and the unit of every posting in a range of keys. The blocks are the result of
    /// ``blocks(of:)``.
    @inline(__always)
    func forEachKey(of keys: Range<UInt32>, in blocks: Range<Int>, _ body: (UInt32, UInt32) -> Void) {
        for block in blocks {
            let start = Int(bytes.load(UInt32.self, at: offsetSpan.offset + block * 4))
            let end = Int(bytes.load(UInt32.self, at: offsetSpan.offset + block * 4 + 4))
            guard start <= end, end <= postingSpan.count - PostingCode.padding else { return }
            var reader = RawBitReader(base: bytes.base, position: (postingSpan.offset + start) * 8)
            let limit = (postingSpan.offset + end) * 8
            var key = bytes.load(UInt32.self, at: keySpan.offset + block * 4)
            let gapParameter = Int(reader.read(PostingCode.parameterBits))
            let stepParameter = Int(reader.read(PostingCode.parameterBits))
            var unit = reader.read(unitBits)
            if key >= keys.upperBound { return }
            if key >= keys.lowerBound { body(key, unit) }
            let count = min(PostingCode.blockSize, postingCount - block * PostingCode.blockSize)
            var index = 1
            // The limit stops a damaged block that would continue too far.
            while index < count, reader.position < limit {
                let gap = reader.readRice(gapParameter)
                key = key &+ gap
                if key >= keys.upperBound { return }
                unit = gap == 0 ? unit &+ reader.readRice(stepParameter) : reader.read(unitBits)
                if key >= keys.lowerBound { body(key, unit) }
                index += 1
            }
        }
    }
}

/// Reads numbers of any width from a run of bits, the lowest bits first. The memory must extend sixteen bytes beyond
/// the last number.
private struct RawBitReader {
    /// A copy of ``RiceCode/escape``. Read from another module, it would be a call for each number, a tenth of the time
    /// of a search.
    private static let escape = 24

    let base: UnsafeRawBufferPointer
    /// The position in bits.
    var position: Int

    /// At least 57 bits from the position.
    @inline(__always)
    private var window: UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self))
            &>> UInt64(truncatingIfNeeded: position & 7)
    }

    @inline(__always)
    mutating func read(_ width: Int) -> UInt32 {
        let number = window & (1 &<< UInt64(truncatingIfNeeded: width) &- 1)
        position &+= width
        return UInt32(truncatingIfNeeded: number)
    }

    @inline(__always)
    mutating func readRice(_ parameter: Int) -> UInt32 {
        let bits = window
        let quotient = bits.trailingZeroBitCount
        guard quotient < Self.escape else { return readEscaped() }
        position &+= quotient &+ 1 &+ parameter
        let (shift, width) = (UInt64(truncatingIfNeeded: quotient &+ 1), UInt64(truncatingIfNeeded: parameter))
        let rest = bits &>> shift & (1 &<< width &- 1)
        return UInt32(truncatingIfNeeded: UInt64(truncatingIfNeeded: quotient) &<< width | rest)
    }

    @inline(never)
    private mutating func readEscaped() -> UInt32 {
        position &+= Self.escape
        return read(32)
    }
}
