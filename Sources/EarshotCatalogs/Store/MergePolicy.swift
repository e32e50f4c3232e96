/// Decides which segments of a store are written together as one.
///
/// Segments are told apart by size, in tiers that each reach four times as far as the one before. Four neighbours of one
/// tier are merged; a smaller one in front of a larger one counts as large, so that it is not left behind. So there are at
/// most three segments a tier, a number that grows with the logarithm of the size of the store, and a reference is written
/// again about once for each tier that it rises through. A segment of the highest tier is merged no more: beyond that size
/// the number of segments grows in proportion, and nothing is written again.
///
/// A segment of which more than half was removed is written anew at once, whatever its size.
struct MergePolicy: Sendable {
    /// What is known of a segment.
    struct Size: Sendable {
        var bytes: Int
        var referenceCount: Int
        var removedCount: Int

        /// Bytes that a merge would keep, about.
        var liveBytes: Int {
            referenceCount == 0
                ? 0 : Int(Double(bytes) * Double(referenceCount - removedCount) / Double(referenceCount))
        }
        var isMostlyRemoved: Bool { removedCount * 2 > referenceCount }
    }

    /// Segments of one tier that are merged.
    var fanIn = 4
    /// Below this size all segments are of the lowest tier: 64 KiB.
    var smallest = 64 << 10
    /// From this size on a segment is merged no more: 256 MiB. What comes of a merge is smaller than four of these.
    var sealed = 256 << 20

    /// The tier of a size; nothing when it is sealed.
    private func tier(_ bytes: Int) -> Int? {
        guard bytes < sealed else { return nil }
        var (tier, bound) = (0, smallest)
        while bytes >= bound {
            tier += 1
            bound *= fanIn
        }
        return tier
    }

    /// Neighbours to be merged into one now, or nothing.
    ///
    /// What a merge brings about may call for another: then both are done in one step.
    func plan(_ sizes: [Size]) -> Range<Int>? {
        if let worn = sizes.firstIndex(where: \.isMostlyRemoved) { return worn..<worn + 1 }
        var parts = sizes.indices.map { (range: $0..<$0 + 1, bytes: sizes[$0].liveBytes) }
        var planned: Range<Int>?
        while let run = run(parts.map(\.bytes)) {
            let range = parts[run.lowerBound].range.lowerBound..<parts[run.upperBound - 1].range.upperBound
            // A cascade goes on only where it takes in what the step before made.
            if let planned, !range.contains(planned.lowerBound) { break }
            planned = range
            parts.replaceSubrange(run, with: [(range, parts[run].reduce(0) { $0 + $1.bytes })])
        }
        return planned
    }

    /// Neighbours to be merged when as few segments are wanted as the largest size admits, or nothing.
    func compaction(_ sizes: [Size]) -> Range<Int>? {
        var start = 0
        while start < sizes.count {
            var (end, total) = (start, 0)
            while end < sizes.count, end == start || total + sizes[end].liveBytes <= fanIn * sealed {
                total += sizes[end].liveBytes
                end += 1
            }
            if end - start > 1 || sizes[start].removedCount > 0 { return start..<end }
            start = end
        }
        return nil
    }

    /// A run of enough neighbours of one tier, the smallest tier first.
    private func run(_ bytes: [Int]) -> Range<Int>? {
        let top = (tier(sealed - 1) ?? 0)
        var end = bytes.count
        var reached = 0
        var found: Range<Int>?
        var (runEnd, runTier) = (end, -1)
        func close(at start: Int) {
            guard found == nil, runEnd - start >= fanIn else { return }
            // Any four fit below the largest size; of more, as many as do.
            var (last, total) = (start, 0)
            while last < runEnd, total + bytes[last] <= fanIn * sealed {
                total += bytes[last]
                last += 1
            }
            found = start..<last
        }
        while end > 0 {
            let index = end - 1
            guard let own = tier(bytes[index]) else {
                close(at: end)
                // What lies in front of a sealed segment will not meet anything behind it.
                (reached, runEnd, runTier) = (top, index, -1)
                end = index
                continue
            }
            reached = max(reached, own)
            if reached != runTier {
                close(at: end)
                (runEnd, runTier) = (end, reached)
            }
            end = index
        }
        close(at: 0)
        return found
    }
}
