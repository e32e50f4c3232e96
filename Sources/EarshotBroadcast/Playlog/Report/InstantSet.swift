package import Foundation

/// Stretches of time in milliseconds, merged, for adding up what overlaps once.
package struct InstantSet: Hashable, Sendable {
    /// In order, without overlaps.
    package private(set) var ranges: [Range<Int64>] = []

    /// The merged stretches.
    package init(_ ranges: [Range<Int64>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound {
                self.ranges[self.ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// How long they are together, in seconds.
    package var seconds: Double { Double(ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound }) / 1_000 }

    /// What of these is not in others.
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

    /// The part of a stretch that lies within a span; empty where there is none.
    package static func clipped(_ start: Date, _ end: Date, to span: Range<Date>) -> Range<Int64> {
        let lower = max(PlaylogTime.bounded(start), PlaylogTime.bounded(span.lowerBound))
        return lower..<max(lower, min(PlaylogTime.bounded(end), PlaylogTime.bounded(span.upperBound)))
    }
}
