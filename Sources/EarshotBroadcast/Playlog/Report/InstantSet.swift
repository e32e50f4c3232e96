package import Foundation

/// Merged intervals of time in milliseconds since 1970, so that overlaps count once.
package struct InstantSet: Hashable, Sendable {
    /// The intervals, in order and without overlaps.
    package private(set) var ranges: [Range<Int64>] = []

    /// Merges intervals.
    package init(_ ranges: [Range<Int64>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound {
                self.ranges[self.ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// The total duration, in seconds.
    package var seconds: Double { Double(ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound }) / 1_000 }

    /// Returns the intervals without those of another set.
    package func subtracting(_ others: InstantSet) -> InstantSet {
        var left: [Range<Int64>] = []
        var first = others.ranges.startIndex
        for range in ranges {
            var begin = range.lowerBound
            while first < others.ranges.endIndex, others.ranges[first].upperBound <= begin { first += 1 }
            for other in others.ranges[first...] {
                guard other.lowerBound < range.upperBound else { break }
                if other.lowerBound > begin { left.append(begin..<other.lowerBound) }
                begin = max(begin, other.upperBound)
            }
            if begin < range.upperBound { left.append(begin..<range.upperBound) }
        }
        return InstantSet(left)
    }

    /// Returns the part of an interval that lies within a span; empty if there is none.
    package static func clipped(_ start: Date, _ end: Date, to span: Range<Date>) -> Range<Int64> {
        let lower = max(PlaylogTime.bounded(start), PlaylogTime.bounded(span.lowerBound))
        return lower..<max(lower, min(PlaylogTime.bounded(end), PlaylogTime.bounded(span.upperBound)))
    }
}
