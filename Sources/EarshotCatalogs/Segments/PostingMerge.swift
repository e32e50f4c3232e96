import EarshotCore
import EarshotSegments

/// Merges the postings of several segments on one new timeline, in order of key and unit.
struct PostingMerge {
    private let parts: [MergePlan.Part]
    private let pieceCount: Int

    /// Creates a merge.
    ///
    /// - Parameters:
    ///   - parts: The parts, in order of the new timeline.
    ///   - pieceCount: The approximate number of postings that are held in memory at once.
    init(_ parts: [MergePlan.Part], pieceCount: Int) {
        self.parts = parts.filter { !$0.stretches.isEmpty }
        self.pieceCount = pieceCount
    }

    /// Returns the number of postings.
    func count() -> Int {
        var count = 0
        let keys: Range<UInt32> = 0..<1 << UInt32(LandmarkKey.bits)
        for part in parts {
            // A segment that is kept whole need not be read. If its count were wrong, the merge would be rejected
            // afterwards.
            guard part.taken.count < part.segment.referenceCount else {
                count += part.segment.postingCount
                continue
            }
            // In pieces, so that the memory of a large file can be released.
            let step = max(1, pieceCount / PostingCode.blockSize)
            for first in stride(from: 0, to: part.segment.blockCount, by: step) {
                let blocks = first..<min(part.segment.blockCount, first + step)
                part.forEachPosting(of: keys, in: blocks) { _, _ in count += 1 }
                part.segment.bytes.release()
            }
        }
        return count
    }

    /// Packs all postings.
    ///
    /// - Parameter body: Called with the packed bytes, piece by piece.
    /// - Throws: `catalogInvalid` if the index exceeds 4 GiB, and the errors of `body`.
    func write(
        to writer: inout PostingWriter,
        _ body: ([UInt8]) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        var piece: [UInt64] = []
        let end: UInt32 = 1 << UInt32(LandmarkKey.bits)
        var (low, width) = (UInt32(0), end)
        while low < end {
            var high = low + min(width, end - low)
            // In each segment the first and last block may hold keys outside of the range.
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
            // The piece consists of sorted runs, one a segment.
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

    /// Returns the number of postings of the blocks that may hold a range of keys, at most.
    private func mostPostings(of keys: Range<UInt32>) -> Int {
        parts.reduce(0) { $0 + $1.segment.blocks(of: keys).count } * PostingCode.blockSize
    }
}

extension MergePlan.Part {
    /// Calls `body` with the key and the new unit of every posting that is kept.
    @inline(__always)
    fileprivate func forEachPosting(of keys: Range<UInt32>, in blocks: Range<Int>, _ body: (UInt32, UInt32) -> Void) {
        stretches.withUnsafeBufferPointer { stretches in
            segment.forEachKey(of: keys, in: blocks) { key, unit in
                // Finds the last interval that begins at or before the unit.
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
