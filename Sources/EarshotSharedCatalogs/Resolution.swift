import EarshotCatalogs

/// Finds the open files of segments. For a segment that is not open, finds the files of its sources instead, or of the sources of those.
struct Resolution {
    /// The known segments, by their objects: those of the manifest, those that were searched before, and dropped ones.
    var known: [String: SharedSegment]
    /// The segments that were asked for, and the sources that were looked at in their place, by their objects.
    private(set) var used: [String: SharedSegment] = [:]
    private let cache: SegmentCache

    init(_ known: [String: SharedSegment], _ cache: SegmentCache) { (self.known, self.cache) = (known, cache) }

    /// Returns the open parts of a segment, and `true` if they are all of it.
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
                // Numbers in the merged segment run through all sources: without the count of this one, those of the next are unknown.
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
            // A source lacks what the merge left out, and what was removed from the merged segment since, by its number there.
            part.removed = source.removed
            for number in 0..<count where !source.removed.contains(number) {
                if segment.removed.contains(next) { part.removed.insert(number) }
                next += 1
            }
            // No early return: every source that is here must be marked as used, or its file would be evicted while another is awaited.
            let found = self.parts(of: part)
            parts += found.parts
            isWhole = isWhole && found.isWhole
        }
        guard isWhole else { return (parts, false) }
        return next == segment.referenceCount ? (parts, true) : ([], false)
    }
}
