import Foundation

/// A straight line through measurements of which some are wrong.
struct FittedLine: Sendable {
    /// One measurement.
    struct Point: Hashable, Sendable {
        /// Seconds of the recording.
        var time: Double
        /// Seconds that the line is to be moved by there.
        var value: Double
    }

    /// The mean time of the points on the line, in seconds.
    let middle: Double
    /// The line's value there, in seconds.
    let value: Double
    /// Seconds a second.
    let slope: Double
    /// Standard errors of both.
    let valueError: Double
    let slopeError: Double
    /// Root mean square of what is left, in seconds.
    let residual: Double
    /// The indices of the points on the line.
    let members: [Int]
    /// An upper bound of the probability that so many random points lie on one line.
    let chance: Double

    func place(_ time: Double) -> Double { value + slope * (time - middle) }

    /// The line that most points lie near.
    ///
    /// Every pair of points, and every point by itself, names a line; the one with most points within the tolerance is
    /// taken, and least squares over these make it exact.
    ///
    /// - Parameters:
    ///   - points: The measurements.
    ///   - tolerance: The largest distance of a point from the line, in seconds.
    ///   - maximumSlope: The steepest line, in seconds a second.
    ///   - reach: The largest distance of values from zero, in seconds; chance spreads them evenly up to there.
    /// - Returns: `nil` if fewer than three points agree.
    static func fit(_ points: [Point], tolerance: Double, maximumSlope: Double, reach: Double) -> FittedLine? {
        var best: [Int] = []
        var bestSpread = Double.infinity
        func consider(_ point: Point, slope: Double) {
            var members: [Int] = []
            var spread = 0.0
            for (index, other) in points.enumerated() {
                let distance = abs(other.value - point.value - slope * (other.time - point.time))
                guard distance <= tolerance else { continue }
                members.append(index)
                spread += distance
            }
            guard members.count > best.count || members.count == best.count && spread < bestSpread else { return }
            (best, bestSpread) = (members, spread)
        }
        for (index, first) in points.enumerated() {
            consider(first, slope: 0)
            for second in points[..<index] where second.time != first.time {
                let slope = (second.value - first.value) / (second.time - first.time)
                if abs(slope) <= maximumSlope { consider(first, slope: slope) }
            }
        }
        guard best.count >= 3 else { return nil }
        var line = leastSquares(points, best, chance: 1)
        // What lies far beside the others, within the tolerance, would still bend the line.
        for _ in 0..<3 {
            let distances = best.map { abs(points[$0].value - line.place(points[$0].time)) }.sorted()
            let limit = min(tolerance, max(4.5 * distances[distances.count / 2], tolerance / 20))
            let closer = points.indices.filter { abs(points[$0].value - line.place(points[$0].time)) <= limit }
            guard closer.count >= 3, closer != best else { break }
            best = closer
            line = leastSquares(points, best, chance: 1)
        }
        let chance = self.chance(
            of: best.count,
            among: points.count,
            share: min(1, tolerance / max(reach, tolerance))
        )
        return leastSquares(points, best, chance: chance)
    }

    private static func leastSquares(_ points: [Point], _ members: [Int], chance: Double) -> FittedLine {
        let count = Double(members.count)
        let middle = members.reduce(0) { $0 + points[$1].time } / count
        let mean = members.reduce(0) { $0 + points[$1].value } / count
        var (spread, covariance) = (0.0, 0.0)
        for index in members {
            spread += (points[index].time - middle) * (points[index].time - middle)
            covariance += (points[index].time - middle) * (points[index].value - mean)
        }
        let slope = spread > 0 ? covariance / spread : 0
        let squares = members.reduce(0.0) { sum, index in
            let rest = points[index].value - mean - slope * (points[index].time - middle)
            return sum + rest * rest
        }
        let variance = squares / max(1, count - 2)
        return FittedLine(
            middle: middle,
            value: mean,
            slope: slope,
            valueError: (variance / count).squareRoot(),
            slopeError: spread > 0 ? (variance / spread).squareRoot() : 0,
            residual: (squares / count).squareRoot(),
            members: members,
            chance: chance
        )
    }

    /// Two points make a line; that so many of the others lie on it by chance, for any two.
    private static func chance(of members: Int, among count: Int, share: Double) -> Double {
        let (others, needed) = (count - 2, members - 2)
        var tail = 0.0
        for hits in max(needed, 0)...max(others, needed, 0) where hits <= others {
            let ways = lgamma(Double(others + 1)) - lgamma(Double(hits + 1)) - lgamma(Double(others - hits + 1))
            tail += exp(ways + Double(hits) * log(share) + Double(others - hits) * log(max(1 - share, 1e-12)))
        }
        return min(1, tail * Double(count * (count - 1) / 2))
    }
}
