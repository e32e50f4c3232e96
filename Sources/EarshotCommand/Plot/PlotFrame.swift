/// A rectangle of the picture.
struct PlotFrame: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var right: Double { x + width }
    var bottom: Double { y + height }

    /// Where a value of a range stands from left to right.
    func across(_ value: Double, of range: ClosedRange<Double>) -> Double {
        x + width * Self.share(value, of: range)
    }

    /// Where a value of a range stands from the bottom up.
    func up(_ value: Double, of range: ClosedRange<Double>) -> Double {
        bottom - height * Self.share(value, of: range)
    }

    private static func share(_ value: Double, of range: ClosedRange<Double>) -> Double {
        let length = range.upperBound - range.lowerBound
        return length > 0 ? (value - range.lowerBound) / length : 0
    }
}
