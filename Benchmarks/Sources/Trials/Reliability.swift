import BenchmarkSupport
import Foundation

/// What was said to be sure by so much, and how often it was right.
struct Reliability {
    struct Bin {
        var weight = 0.0
        var said = 0.0
        var right = 0.0
    }

    /// Ten bins of equal width.
    private(set) var bins = [Bin](repeating: Bin(), count: 10)

    init(_ samples: [CalibrationSample], _ probabilities: [Double]) {
        for (sample, probability) in zip(samples, probabilities) {
            let index = min(9, max(0, Int(probability * 10)))
            bins[index].weight += sample.weight
            bins[index].said += probability * sample.weight
            bins[index].right += sample.isRight ? sample.weight : 0
        }
    }

    /// The mean distance between what was said and what was, by weight: the expected calibration error.
    var error: Double {
        let total = bins.reduce(0) { $0 + $1.weight }
        return total > 0 ? bins.reduce(0) { $0 + abs($1.said - $1.right) } / total : 0
    }
}

/// A picture of what was said against what was.
struct ReliabilityDiagram {
    private let curves: [(name: String, reliability: Reliability)]

    init(_ curves: [(String, Reliability)]) { self.curves = curves.map { (name: $0.0, reliability: $0.1) } }

    /// The picture, 720 by 720.
    var svg: String {
        let colors = ["#999999", "#0066cc", "#cc4400", "#007744"]
        func x(_ value: Double) -> String { Output.number(90 + value * 570, 1) }
        func y(_ value: Double) -> String { Output.number(620 - value * 570, 1) }
        var parts = ["<rect width='720' height='720' fill='white'/>"]
        for step in 0...10 {
            let value = Double(step) / 10
            parts.append("<path d='M\(x(value)) \(y(0))V\(y(1))M\(x(0)) \(y(value))H\(x(1))' stroke='#dddddd'/>")
            guard step.isMultiple(of: 2) else { continue }
            let label = Output.number(value, 1)
            parts.append("<text x='\(x(value))' y='645' \(Self.text) text-anchor='middle'>\(label)</text>")
            parts.append("<text x='80' y='\(y(value - 0.01))' \(Self.text) text-anchor='end'>\(label)</text>")
        }
        parts.append("<path d='M\(x(0)) \(y(0))L\(x(1)) \(y(1))' stroke='#bbbbbb' stroke-dasharray='6 6'/>")
        parts.append("<text x='375' y='690' \(Self.text) text-anchor='middle'>confidence</text>")
        parts.append(
            "<text transform='translate(30 335) rotate(-90)' \(Self.text) text-anchor='middle'>share that is right</text>"
        )
        for (index, curve) in curves.enumerated() {
            let color = colors[index % colors.count]
            let total = curve.reliability.bins.reduce(0) { $0 + $1.weight }
            let bins = curve.reliability.bins.filter { $0.weight > 0 }
            let points = bins.map { (said: $0.said / $0.weight, right: $0.right / $0.weight, part: $0.weight / total) }
            let line = points.map { "\(x($0.said)),\(y($0.right))" }.joined(separator: " ")
            parts.append("<polyline points='\(line)' fill='none' stroke='\(color)' stroke-width='2'/>")
            for point in points {
                // A point's area is the share of queries it stands for.
                let radius = Output.number(3 + 16 * point.part.squareRoot(), 1)
                parts.append(
                    "<circle cx='\(x(point.said))' cy='\(y(point.right))' r='\(radius)' fill='\(color)' fill-opacity='0.5'/>"
                )
            }
            let name = "\(curve.name): error \(Output.number(curve.reliability.error, 3))"
            parts.append("<rect x='380' y='\(526 + index * 26)' width='16' height='16' fill='\(color)'/>")
            parts.append("<text x='404' y='\(540 + index * 26)' \(Self.text)>\(name)</text>")
        }
        return "<svg xmlns='http://www.w3.org/2000/svg' width='720' height='720'>\(parts.joined())</svg>"
    }

    private static let text = "font-family='sans-serif' font-size='17' fill='#222222'"
}
