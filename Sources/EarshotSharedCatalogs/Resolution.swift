import EarshotCatalogs

/// Finds what is open of segments: each itself, or in its place those of the segments that were merged into it, and so on.
struct Resolution {
    /// Segments by their objects: those of the manifest, and those that were searched before.
    var known: [String: SharedSegment]
    /// Those that were asked for, or stand for others.
    private(set) var used: [String: SharedSegment] = [:]
    private let cache: SegmentCache

    init(_ known: [String: SharedSegment], _ cache: SegmentCache) { (self.known, self.cache) = (known, cache) }

    /// A segment as parts that are open, and whether these are all of it.
    mutating func parts(of segment: SharedSegment) -> (parts: [SegmentPart], isWhole: Bool) {
        used[segment.object] = segment
        guard segment.count > 0 else { return ([], true) }
        if let file = cache.open(segment.object) {
            return ([SegmentPart(file, removed: segment.removed)], true)
        }
        guard !segment.sources.isEmpty else { return ([], false) }
        var parts: [SegmentPart] = []
        var isWhole = true
        var next = 0
        for source in segment.sources {
            guard let count = cache.open(source.object)?.referenceCount ?? known[source.object]?.referenceCount else {
                // Which of the next ones were removed since cannot be told without its number of references.
                return (parts, false)
            }
            var part =
                known[source.object]
                ?? SharedSegment(
                    number: 0,
                    object: source.object,
                    size: 0,
                    referenceCount: count,
                    frameCount: 0,
                    postingCount: 0,
                    position: 0
                )
            // What was left out by the merge, and what was removed from the merged segment since.
            part.removed = source.removed
            for number in 0..<count where !source.removed.contains(number) {
                if segment.removed.contains(next) { part.removed.insert(number) }
                next += 1
            }
            // All are looked at, so that none of what is here is closed while another is awaited.
            let found = self.parts(of: part)
            parts += found.parts
            isWhole = isWhole && found.isWhole
        }
        guard isWhole else { return (parts, false) }
        return next == segment.referenceCount ? (parts, true) : ([], false)
    }
}
