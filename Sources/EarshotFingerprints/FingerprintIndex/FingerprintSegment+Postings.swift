import EarshotSegments

extension FingerprintSegment {
    private typealias Format = FingerprintSegmentFormat

    @inline(__always)
    func key(ofBlock block: Int) -> UInt64 { bytes.load(UInt64.self, at: keySpan.offset + block * 8) }

    @inline(__always)
    func term(ofBlock block: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: key(ofBlock: block) >> FingerprintSegmentFormat.documentBits)
    }

    /// The bucket of a term.
    @inline(__always)
    func bucket(of term: UInt32) -> UInt32 {
        min(term, 1 << FingerprintTerms.bits - 1) >> (FingerprintTerms.bits - bucketBits)
    }

    /// The blocks that may hold postings of a term; an empty range when none can.
    func blocks(of term: UInt32) -> Range<Int> {
        let bucket = Int(bucket(of: term))
        let low = min(Int(bytes.load(UInt32.self, at: bucketSpan.offset + bucket * 4)), blockCount)
        let high = min(Int(bytes.load(UInt32.self, at: bucketSpan.offset + bucket * 4 + 4)), blockCount)
        // The block before the first that begins with the term or beyond may end with it.
        let first = firstBlock(from: UInt64(term) << Format.documentBits, in: low..<max(low, high))
        let end = firstBlock(from: UInt64(term + 1) << Format.documentBits, in: first..<max(first, high))
        let start = max(0, first - 1)
        return start < end ? start..<end : start..<start
    }

    /// The first block of a range whose first posting is `key` or beyond; the end of the range when there is none.
    private func firstBlock(from key: UInt64, in range: Range<Int>) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) >> 1
            if self.key(ofBlock: middle) < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the range of the bytes of a block; an empty range if its offsets are damaged.
    @inline(__always)
    func bytes(ofBlock block: Int) -> Range<Int> {
        let start = Int(truncatingIfNeeded: bytes.load(UInt64.self, at: offsetSpan.offset + block * 8))
        let end = Int(truncatingIfNeeded: bytes.load(UInt64.self, at: offsetSpan.offset + block * 8 + 8))
        guard start >= 0, start <= end, end <= postingSpan.count else { return 0..<0 }
        return postingSpan.offset + start..<postingSpan.offset + end
    }

    /// Calls `body` with the number of every fingerprint that has a term.
    ///
    /// - Parameter blocks: The result of ``blocks(of:)`` for the term.
    @inline(__always)
    func forEachDocument(of term: UInt32, in blocks: Range<Int>, _ body: (UInt32) -> Void) {
        let first = UInt64(term) << Format.documentBits
        let end = UInt64(term + 1) << Format.documentBits
        for block in blocks {
            var key = key(ofBlock: block)
            if key >= first, key < end { body(UInt32(truncatingIfNeeded: key - first)) }
            let range = bytes(ofBlock: block)
            var (at, last) = (range.lowerBound, range.upperBound)
            while at < last, key < end {
                key = key &+ Self.number(in: bytes.base, at: &at, end: last)
                if key >= first, key < end { body(UInt32(truncatingIfNeeded: key - first)) }
            }
            last = at
        }
    }

    /// Reads one number in groups of seven bits.
    @inline(__always)
    static func number(in base: UnsafeRawBufferPointer, at place: inout Int, end: Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while place < end {
            let byte = base[place]
            place &+= 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift = (shift &+ 7) & 63
        }
        return number
    }
}

/// Goes through all postings of a segment in order.
struct PostingCursor {
    private let segment: FingerprintSegment
    private var block = 0
    private var place = 0
    private var end = 0
    /// The posting it stands at; `nil` at the end.
    private(set) var current: UInt64?

    init(_ segment: FingerprintSegment) {
        self.segment = segment
        enterBlock()
    }

    private mutating func enterBlock() {
        guard block < segment.blockCount else {
            current = nil
            return
        }
        current = checked(segment.key(ofBlock: block))
        let range = segment.bytes(ofBlock: block)
        (place, end) = (range.lowerBound, range.upperBound)
        block += 1
    }

    /// A posting beyond all terms is damage, and the end.
    @inline(__always)
    private func checked(_ key: UInt64) -> UInt64? {
        key >> (FingerprintSegmentFormat.documentBits + UInt64(FingerprintTerms.bits)) == 0 ? key : nil
    }

    @inline(__always)
    mutating func advance() {
        if place < end, let key = current {
            current = checked(key &+ FingerprintSegment.number(in: segment.bytes.base, at: &place, end: end))
        } else {
            enterBlock()
        }
    }
}
