import Foundation

/// The axis of evidence: from the least of other places to the match, with a gap where the match lies far out.
package struct HistogramAxis: Sendable {
    /// The values of the even part.
    package let values: ClosedRange<Double>
    /// The width of a bar, in nats.
    package let barWidth: Double
    /// The place at which the axis is cut, in the picture's unit of length; `nil` if the match stands on the even part.
    package let gap: ClosedRange<Double>?

    private let own: Double
    private let even: PlotFrame
    private let ownPlace: Double

    /// The share of the width that the even part keeps when the axis is cut.
    private static let evenShare = 0.8
    /// The even part reaches to the match while the rest of it keeps this share of the width.
    private static let leastShare = 0.4
    private static let barCount = 40.0

    package init(own: Double, elsewhere: [Double], threshold: Double, in frame: PlotFrame) {
        self.own = own
        let others = elsewhere + [threshold]
        let (low, high) = (others.min() ?? 0, others.max() ?? 0)
        let margin = max(1, (high - low) * 0.06)
        let reach = max(high, own)
        if (high - low) >= Self.leastShare * (reach - low) {
            values = low - margin...reach + margin
            gap = nil
            even = frame
            ownPlace = frame.across(own, of: values)
        } else {
            values = low - margin...high + margin
            var even = frame
            even.width *= Self.evenShare
            self.even = even
            gap = even.right...even.right + 24
            ownPlace = frame.right - 20
        }
        barWidth = max(0.5, (high + margin - values.lowerBound) / Self.barCount)
    }

    /// Returns the place of a value; all values beyond the even part are at the match.
    package func place(of value: Double) -> Double {
        value == own ? ownPlace : even.across(min(value, values.upperBound), of: values)
    }

    /// Returns the number of values in each bar, by its lower end; bars without any are left out.
    package func bars(_ elsewhere: [Double]) -> [(value: Double, count: Int)] {
        let counts = Dictionary(grouping: elsewhere) { Int(($0 / barWidth).rounded(.down)) }.mapValues(\.count)
        return counts.sorted { $0.key < $1.key }.map { (Double($0.key) * barWidth, $0.value) }
    }

    /// Round values on the even part.
    package var ticks: [Double] {
        let step = Self.step(over: values.upperBound - values.lowerBound, count: 5)
        let first = Int((values.lowerBound / step).rounded(.up))
        let last = Int((values.upperBound / step).rounded(.down))
        return first <= last ? (first...last).map { Double($0) * step } : []
    }

    /// A round step that divides a length into at most so many parts: 1, 2 or 5 times a power of ten, at least 1.
    package static func step(over length: Double, count: Int) -> Double {
        let least = max(1, length / Double(count))
        let power = pow(10, log10(least).rounded(.down))
        return ([1, 2, 5].first { $0 * power >= least * 0.999_999 } ?? 10) * power
    }
}
