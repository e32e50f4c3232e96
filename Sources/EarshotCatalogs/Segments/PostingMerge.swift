import EarshotCore
import EarshotSegments

/// The postings of several segments on one new timeline, in order of key and unit.
struct PostingMerge {
    private let parts: [MergePlan.Part]
    private let pieceCount: Int

    /// - Parameters:
    ///   - parts: In the order of the new timeline.
    ///   - pieceCount: Postings that are held at once, about.
    init(_ parts: [MergePlan.Part], pieceCount: Int) {
        self.parts = parts.filter { !$0.stretches.isEmpty }
        self.pieceCount = pieceCount
    }

    /// How many there are.
    func count() -> Int {
        var count = 0
        let keys: Range<UInt32> = 0..<1 << UInt32(LandmarkKey.bits)
        for part in parts {
            // What is taken whole need not be read for it; were the number wrong, the merge would be refused.
            guard part.taken.count < part.segment.referenceCount else {
                count += part.segment.postingCount
                continue
            }
            // By pieces, so that the memory of a large file can be given back.
            let step = max(1, pieceCount / PostingCode.blockSize)
            for first in stride(from: 0, to: part.segment.blockCount, by: step) {
                let blocks = first..<min(part.segment.blockCount, first + step)
                part.forEachPosting(of: keys, in: blocks) { _, _ in count += 1 }
                part.segment.bytes.release()
            }
        }
        return count
    }

    /// Packs all of them.
    ///
    /// - Parameter body: Takes what is packed, piece by piece.
    /// - Throws: `catalogInvalid` when the index exceeds 4 GiB, and what `body` throws.
    func write(
        to writer: inout PostingWriter,
        _ body: ([UInt8]) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        var piece: [UInt64] = []
        let end: UInt32 = 1 << UInt32(LandmarkKey.bits)
        var (low, width) = (UInt32(0), end)
        while low < end {
            var high = low + min(width, end - low)
            // Each segment may have a block before and behind, whatever the range.
            while mostPostings(of: low..<high) > pieceCount + parts.count * 3 * PostingCode.blockSize,
                high - low > 1
            {
                width = (high - low) / 2
                high = low + width
            }
            piece.removeAll(keepingCapacity: true)
            for part in parts {
                part.forEachPosting(of: low..<high, in: part.segment.blocks(of: low..<high)) { key, unit in
                    piece.append(UInt64(key) << 32 | UInt64(unit))
                }
            }
            // Runs that are in order each: sorting merges them.
            piece.sort()
            for posting in piece {
                try writer.append(
                    key: UInt32(truncatingIfNeeded: posting >> 32),
                    unit: UInt32(truncatingIfNeeded: posting)
                )
            }
            try body(writer.drain())
            for part in parts { part.segment.bytes.release() }
            low = high
            if piece.count < pieceCount / 4 { width = min(end, 2 * width) }
        }
        try body(writer.finish())
    }

    /// Postings of the blocks that hold a range of keys.
    private func mostPostings(of keys: Range<UInt32>) -> Int {
        parts.reduce(0) { $0 + $1.segment.blocks(of: keys).count } * PostingCode.blockSize
    }
}

extension MergePlan.Part {
    /// Calls `body` with the key and the new unit of every posting that is taken.
    @inline(__always)
    fileprivate func forEachPosting(of keys: Range<UInt32>, in blocks: Range<Int>, _ body: (UInt32, UInt32) -> Void) {
        stretches.withUnsafeBufferPointer { stretches in
            segment.forEachKey(of: keys, in: blocks) { key, unit in
                // The last stretch that begins at the unit or before it.
                var (low, high) = (0, stretches.count)
                while low < high {
                    let middle = (low + high) >> 1
                    if stretches[middle].units.lowerBound <= unit { low = middle + 1 } else { high = middle }
                }
                guard low > 0, unit < stretches[low - 1].units.upperBound else { return }
                body(key, UInt32(truncatingIfNeeded: Int(unit) + stretches[low - 1].shift))
            }
        }
    }
}
