/// A rectangle of the picture.
package struct PlotFrame: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    package var right: Double { x + width }
    package var bottom: Double { y + height }

    /// Returns the place of a value of a range from left to right.
    package func across(_ value: Double, of range: ClosedRange<Double>) -> Double {
        x + width * Self.share(value, of: range)
    }

    /// Returns the place of a value of a range from the bottom up.
    package func up(_ value: Double, of range: ClosedRange<Double>) -> Double {
        bottom - height * Self.share(value, of: range)
    }

    private static func share(_ value: Double, of range: ClosedRange<Double>) -> Double {
        let length = range.upperBound - range.lowerBound
        return length > 0 ? (value - range.lowerBound) / length : 0
    }
}
