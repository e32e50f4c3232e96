/// Decides which segments of a store are written together as one.
///
/// Segments are told apart by size, in tiers that each reach ``fanIn`` times as far as the one before. ``fanIn`` neighbors
/// of one tier are merged; a smaller one in front of a larger one counts as large, so that it is not left behind. So there are
/// fewer than ``fanIn`` segments a tier, a number that grows with the logarithm of the size of the store, and a reference is written
/// again about once for each tier that it rises through. A segment of the highest tier is merged no more: beyond that size
/// the number of segments grows in proportion, and nothing is written again.
///
/// A segment of which more than half was removed is written anew at once, whatever its size.
package struct MergePolicy: Sendable {
    /// The size of a segment and of what was removed from it.
    package struct Size: Sendable {
        /// The size, in the unit of ``MergePolicy/smallest``.
        package var size: Int
        package var entryCount: Int
        package var removedCount: Int

        package init(size: Int, entryCount: Int, removedCount: Int = 0) {
            (self.size, self.entryCount, self.removedCount) = (size, entryCount, removedCount)
        }

        /// The size that a merge would keep, about.
        package var liveSize: Int {
            entryCount == 0 ? 0 : Int(Double(size) * Double(entryCount - removedCount) / Double(entryCount))
        }
        package var isMostlyRemoved: Bool { removedCount * 2 > entryCount }
    }

    /// Segments of one tier that are merged.
    package var fanIn: Int
    /// Below this size all segments are of the lowest tier.
    package var smallest: Int
    /// From this size on a segment is not merged. A merged segment is at most ``fanIn`` times as large.
    package var sealed: Int

    /// A policy. Sizes are bytes by default: 64 KiB, and 1 GiB, so that segments reach 4 GiB.
    ///
    /// - Parameters:
    ///   - fanIn: Segments of one tier that are merged.
    ///   - smallest: The upper bound of the lowest tier.
    ///   - sealed: The size from which on a segment is not merged.
    package init(fanIn: Int = 4, smallest: Int = 64 << 10, sealed: Int = 1 << 30) {
        (self.fanIn, self.smallest, self.sealed) = (fanIn, smallest, sealed)
    }

    /// The tier of a size; `nil` if it is sealed.
    private func tier(_ size: Int) -> Int? {
        guard size < sealed else { return nil }
        var (tier, bound) = (0, smallest)
        while size >= bound {
            tier += 1
            bound *= fanIn
        }
        return tier
    }

    /// Neighbors to be merged into one now; `nil` if none are due.
    ///
    /// What a merge brings about may call for another: then both are done in one step.
    package func plan(_ sizes: [Size]) -> Range<Int>? {
        if let worn = sizes.firstIndex(where: \.isMostlyRemoved) { return worn..<worn + 1 }
        var parts = sizes.indices.map { (range: $0..<$0 + 1, size: sizes[$0].liveSize) }
        var planned: Range<Int>?
        while let run = run(parts.map(\.size)) {
            let range = parts[run.lowerBound].range.lowerBound..<parts[run.upperBound - 1].range.upperBound
            // A cascade goes on only where it takes in what the step before made.
            if let planned, !range.contains(planned.lowerBound) { break }
            planned = range
            parts.replaceSubrange(run, with: [(range, parts[run].reduce(0) { $0 + $1.size })])
        }
        return planned
    }

    /// Neighbors to be merged when as few segments are wanted as the largest size admits; `nil` if none are left.
    package func compaction(_ sizes: [Size]) -> Range<Int>? {
        var start = 0
        while start < sizes.count {
            var (end, total) = (start, 0)
            while end < sizes.count, end == start || total + sizes[end].liveSize <= fanIn * sealed {
                total += sizes[end].liveSize
                end += 1
            }
            if end - start > 1 || sizes[start].removedCount > 0 { return start..<end }
            start = end
        }
        return nil
    }

    /// A run of enough neighbors of one tier, the smallest tier first.
    private func run(_ sizes: [Int]) -> Range<Int>? {
        let top = (tier(sealed - 1) ?? 0)
        var end = sizes.count
        var reached = 0
        var found: Range<Int>?
        var (runEnd, runTier) = (end, -1)
        func close(at start: Int) {
            guard found == nil, runEnd - start >= fanIn else { return }
            // Any fanIn fit below the largest size; of more, as many as do.
            var (last, total) = (start, 0)
            while last < runEnd, total + sizes[last] <= fanIn * sealed {
                total += sizes[last]
                last += 1
            }
            found = start..<last
        }
        while end > 0 {
            let index = end - 1
            guard let own = tier(sizes[index]) else {
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
