import EarshotCore

extension [MediaItem] {
    /// The items that apply to a heard part of their reference, in order: items whose time ranges hold, the one whose range
    /// began last first, and then those without time ranges.
    ///
    /// The rule is the same for a match, a play and the answer of a service.
    ///
    /// - Parameters:
    ///   - part: The part of the reference that is heard. A time range holds if it overlaps the part.
    ///   - place: The position for which time ranges must hold, in place of the whole part.
    ///   - pitchSkew: The pitch relative to the reference.
    /// - Returns: An item without properties if all items are limited to other times.
    func applying(to part: Range<MediaTime>, at place: MediaTime? = nil, pitchSkew: Double) -> [MediaItem] {
        var timed: [(start: MediaTime, item: MediaItem)] = []
        var global: [MediaItem] = []
        var isWithheldByTime = false
        for item in self {
            let skews = item.frequencySkewRanges
            guard skews.isEmpty || skews.contains(where: { $0.contains(pitchSkew) }) else { continue }
            let ranges = item.timeRanges
            // A part without a length overlaps nothing, and still lies somewhere.
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
        // A stable order for ranges that began together.
        let order = timed.enumerated().sorted { ($1.element.start, $0.offset) < ($0.element.start, $1.offset) }
        let found = order.map(\.element.item) + global
        return found.isEmpty && isWithheldByTime ? [MediaItem()] : found
    }
}
