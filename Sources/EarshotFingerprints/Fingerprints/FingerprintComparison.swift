import EarshotCore

/// Holds the sub-fingerprints of one recording against those of others: where they fit best, and how well.
///
/// Made once for a query, for any number of others. What has been kept of the others may be every sub-fingerprint or every
/// second, fourth and so on: as the query has all of its own, it can be laid against them at every offset all the same.
struct FingerprintComparison {
    /// The position of one row of sub-fingerprints on another, and how well they agree.
    struct Alignment: Hashable {
        /// Sub-fingerprints of the query before the first of the other; negative where the other begins earlier.
        var offset = 0
        /// Pairs compared.
        var pairs = 0
        /// Bits in which they differ.
        var bitErrors = 0
        /// The part of the shorter row that lies on the other, 0 to 1.
        var share = 0.0

        /// 1 for equal rows, 0 for such as agree no more than by chance.
        var score: Double {
            guard pairs > 0 else { return 0 }
            return share * max(0, 1 - 2 * Double(bitErrors) / Double(32 * pairs))
        }
    }

    /// Leading bits by which equal sub-fingerprints are found.
    private static let keyBits: UInt32 = 16
    /// So many buckets as there are values, between these: with few of many each would lead to all others.
    private static let bucketBits: ClosedRange<UInt32> = 10...keyBits
    /// Of a sub-fingerprint that comes again and again only so many places are looked at.
    private static let mostPlaces = 8
    /// Places of a bucket that are looked at in all: whoever makes up values whose keys share one bucket gains nothing by it.
    private static let mostSteps = 64
    /// Offsets whose bits are counted.
    private static let offsetsTried = 4

    let values: [UInt32]
    private let bits: UInt32
    /// The first place of each bucket, and the next of each place.
    private var heads: [Int32]
    private var nexts: [Int32]

    init(_ values: [UInt32]) {
        self.values = values
        let needed = UInt32(Int.bitWidth - max(0, values.count - 1).leadingZeroBitCount)
        bits = min(max(needed, Self.bucketBits.lowerBound), Self.bucketBits.upperBound)
        heads = [Int32](repeating: -1, count: 1 << Int(bits))
        nexts = [Int32](repeating: -1, count: values.count)
        for place in values.indices.reversed() {
            let bucket = Self.bucket(of: values[place], bits: bits)
            nexts[place] = heads[bucket]
            heads[bucket] = Int32(truncatingIfNeeded: place)
        }
    }

    /// The bucket of a value, of two to the power of `bits`.
    static func bucket(of value: UInt32, bits: UInt32) -> Int {
        Int(((value >> (32 - keyBits)) &* 0x9E37_79B1) >> (32 - bits))
    }

    /// The best alignment with another row.
    ///
    /// - Parameters:
    ///   - others: The sub-fingerprints kept of the other row.
    ///   - step: Of how many sub-fingerprints one is kept.
    ///   - count: The number of sub-fingerprints that the other row had.
    func bestAlignment(_ others: UnsafeBufferPointer<UInt32>, step: Int = 1, count: Int) -> Alignment {
        var best = Alignment()
        guard !values.isEmpty, !others.isEmpty else { return best }
        for offset in likelyOffsets(others, step: step, count: count) {
            let alignment = alignment(others, step: step, count: count, at: offset)
            if alignment.score > best.score { best = alignment }
        }
        return best
    }

    /// The alignment at one offset.
    func alignment(_ others: UnsafeBufferPointer<UInt32>, step: Int, count: Int, at offset: Int) -> Alignment {
        // The first and last pair: 0 <= k step + offset < values.count.
        let first = offset >= 0 ? 0 : (step - 1 - offset) / step
        let last = min(others.count, max(0, (values.count - offset + step - 1) / step))
        guard first < last else { return Alignment(offset: offset) }
        let errors = values.withUnsafeBufferPointer { values in
            var errors = 0
            var place = first * step + offset
            for index in first..<last {
                errors &+= (values[place] ^ others[index]).nonzeroBitCount
                place &+= step
            }
            return errors
        }
        let pairs = last - first
        let shorter = min(values.count, count)
        return Alignment(
            offset: offset,
            pairs: pairs,
            bitErrors: errors,
            share: min(1, Double(pairs * step) / Double(shorter))
        )
    }

    /// Offsets at which the most leading bits agree, the likeliest first, and that of equal begins.
    private func likelyOffsets(_ others: UnsafeBufferPointer<UInt32>, step: Int, count: Int) -> [Int] {
        // An offset lies between one less than the length of the other row below zero and one less than that of the query.
        let base = others.count * step
        var votes = [UInt16](repeating: 0, count: base + values.count)
        for (index, other) in others.enumerated() {
            var place = heads[Self.bucket(of: other, bits: bits)]
            var (left, steps) = (Self.mostPlaces, Self.mostSteps)
            while place >= 0, left > 0, steps > 0 {
                steps -= 1
                if (values[Int(place)] ^ other) >> (32 - Self.keyBits) == 0 {
                    votes[Int(place) - index * step + base] &+= 1
                    left -= 1
                }
                place = nexts[Int(place)]
            }
        }
        var offsets = [0]
        var found: [(votes: UInt16, offset: Int)] = []
        for (index, vote) in votes.enumerated() where vote > 0 {
            if found.count == Self.offsetsTried, let least = found.last, vote <= least.votes { continue }
            let place = found.firstIndex { vote > $0.votes } ?? found.endIndex
            found.insert((vote, index - base), at: place)
            if found.count > Self.offsetsTried { found.removeLast() }
        }
        offsets += found.map(\.offset).filter { $0 != 0 }
        return offsets
    }

    /// Returns the trust in a score that was reached with a row, 0.5 to 1.
    ///
    /// A row that repeats a few sub-fingerprints, such as that of a steady tone, agrees easily with others of its kind.
    static func diversity(of values: [UInt32]) -> Double {
        guard !values.isEmpty else { return 1 }
        var seen = [Bool](repeating: false, count: 1 << 14)
        var distinct = 0
        for value in values where !seen[Int(value >> 18)] {
            seen[Int(value >> 18)] = true
            distinct += 1
        }
        return min(1, Double(distinct + 10) / Double(values.count) + 0.5)
    }
}
