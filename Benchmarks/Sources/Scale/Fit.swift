import BenchmarkSupport
import Foundation

/// Straight lines through what was measured, and what they say of larger catalogs.
struct Fit {
    /// A line `base + slope · references`.
    struct Line {
        var base: Double
        var slope: Double
        /// The largest deviation of a measured value from the line, as a share of the value.
        var error: Double

        func at(_ references: Double) -> Double { base + slope * references }

        /// Least squares of relative deviations: a small step counts as much as a large one.
        init(_ points: [(references: Double, value: Double)]) {
            var (w, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
            for point in points {
                let weight = 1 / max(point.value * point.value, 1e-18)
                w += weight
                x += weight * point.references
                y += weight * point.value
                xx += weight * point.references * point.references
                xy += weight * point.references * point.value
            }
            let spread = w * xx - x * x
            slope = points.count > 1 && spread > 0 ? (w * xy - x * y) / spread : y / max(x, 1e-18)
            base = points.count > 1 ? (y - slope * x) / w : 0
            let (base, slope) = (base, slope)
            error = points.map { abs(base + slope * $0.references - $0.value) / max(abs($0.value), 1e-9) }.max() ?? 0
        }
    }

    let steps: [Step]

    /// Reads steps.
    init(_ paths: [String]) throws {
        steps = try paths.flatMap { path -> [Step] in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Failure("There are no readable results at \(path): check the path.")
            }
            return try JSONDecoder().decode([Step].self, from: data)
        }
        guard !steps.isEmpty else { throw Failure("There are no steps to fit.") }
    }

    func report() {
        let largest = steps.map(\.references).max() ?? 0
        print("\(steps.count) steps, the largest of \(largest) references; beyond that the lines are only drawn on")
        print("a reference is four minutes; memory is that of the process, pages of mapped files apart\n")
        let goals = [1e6, 1e8]
        var rows = [["what", "base", "a 1,000 references", "largest error"] + ["1,000,000", "100,000,000"]]
        func add(_ name: String, _ unit: String, _ scale: Double, _ value: (Step) -> Double?) {
            let points = steps.compactMap { step in value(step).map { (Double(step.references), $0 / scale) } }
            guard !points.isEmpty else { return }
            let line = Line(points)
            rows.append(
                ["\(name), \(unit)", Output.number(line.base, 3), Output.number(line.slope * 1000, 4)]
                    + [Output.percent(line.error, 1)] + goals.map { Output.number(line.at($0), 1) }
            )
        }
        func queries(_ mode: String, _ length: Int, _ value: @escaping (Step.Queries) -> Double) -> (Step) -> Double? {
            { step in step.queries.first { $0.mode == mode && $0.length == length }.map(value) }
        }
        add("build", "hours of CPU", 3600) { $0.buildCPU }
        add("disk", "GB", 1e9) { Double($0.bytes) }
        add("index", "GB", 1e9) { Double($0.indexBytes) }
        add("open", "ms of CPU", 1e-3) { $0.openCPU }
        add("memory, open", "MB", 1e6) { Double($0.memoryOpen) }
        add("memory, after queries", "MB", 1e6) { Double($0.memoryAfter) }
        for length in Set(steps.flatMap { $0.queries.map(\.length) }).sorted() {
            for mode in ["plain", "shipped"] {
                add("\(mode), \(length) s, median", "ms of CPU", 1e-3, queries(mode, length) { $0.cpuMedian })
                add("\(mode), \(length) s, mean", "ms of CPU", 1e-3, queries(mode, length) { $0.cpuMean })
                add("\(mode), \(length) s, blocks", "thousand", 1e3, queries(mode, length) { $0.blocks })
            }
        }
        Output.table(rows)
    }
}
