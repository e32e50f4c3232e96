import EarshotCore

extension [MediaItem] {
    /// Returns the items that apply to a heard part of their reference. Items with a matching time range come first,
    /// the latest start first; then items without time ranges.
    ///
    /// The rule is the same for a match, a play and the answer of a service.
    ///
    /// - Parameters:
    ///   - part: The part of the reference that is heard. A time range matches if it overlaps the part.
    ///   - place: The position that a time range must contain, instead of overlapping the part.
    ///   - pitchSkew: The relative deviation of the pitch from the reference's.
    /// - Returns: One item without properties if all others are limited to other times.
    func applying(to part: Range<MediaTime>, at place: MediaTime? = nil, pitchSkew: Double) -> [MediaItem] {
        var timed: [(start: MediaTime, item: MediaItem)] = []
        var global: [MediaItem] = []
        var isWithheldByTime = false
        for item in self {
            let skews = item.frequencySkewRanges
            guard skews.isEmpty || skews.contains(where: { $0.contains(pitchSkew) }) else { continue }
            let ranges = item.timeRanges
            // A part without a length overlaps nothing, but has a position.
            let holding = ranges.filter { range in
                place.map(range.contains) ?? (range.overlaps(part) || range.contains(part.lowerBound))
            }
            if let start = holding.map(\.lowerBound).max() {
                timed.append((start, item))
            } else if ranges.isEmpty {
                global.append(item)
            } else {
                isWithheldByTime = true
            }
        }
        // The order stays the same for ranges that begin together.
        let order = timed.enumerated().sorted { ($1.element.start, $0.offset) < ($0.element.start, $1.offset) }
        let found = order.map(\.element.item) + global
        return found.isEmpty && isWithheldByTime ? [MediaItem()] : found
    }
}
