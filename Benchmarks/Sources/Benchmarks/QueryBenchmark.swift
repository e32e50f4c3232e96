import BenchmarkSupport
import Earshot
import Foundation

/// What a query takes.
struct QueryBenchmark {
    /// Processor time of queries of one length.
    struct Figure: Codable {
        var length: Int
        /// `plain` looks for unchanged speed and pitch only; `shipped` for others too, when that gives no answer.
        var mode: String
        var queries: Int
        /// The share that was answered.
        var answered: Double
        var median: Double
        var mean: Double
        var p95: Double

        static let header = ["length", "mode", "queries", "answered", "CPU ms median", "mean", "95 %"]

        var row: [String] {
            [
                "\(length) s", mode, "\(queries)", Output.percent(answered, 0), Output.number(median * 1000),
                Output.number(mean * 1000), Output.number(p95 * 1000),
            ]
        }
    }

    /// Queries a second with several threads on one open catalog.
    struct Scaling: Codable {
        var threads: Int
        var queriesPerSecond: Double
        /// Beside one thread.
        var factor: Double
        /// Processor time of a query.
        var processor: Double

        static let header = ["threads", "queries/s", "factor", "CPU ms a query"]

        var row: [String] {
            ["\(threads)", Output.number(queriesPerSecond, 1), Output.number(factor), Output.number(processor * 1000)]
        }
    }

    private let catalog: Catalog
    private let queries: [QueryFolder.Query]

    init(catalog: String, queries: String, limit: Int) throws {
        self.catalog = try Catalog(contentsOf: URL(fileURLWithPath: catalog))
        var counts: [Int: Int] = [:]
        self.queries = try QueryFolder(queries, limit: .max).queries.filter { query in
            counts[query.length, default: 0] += 1
            return counts[query.length, default: 0] <= limit
        }
    }

    func figures(repetitions: Int) throws -> [Figure] {
        var figures: [Figure] = []
        for length in Set(queries.map(\.length)).sorted() {
            let part = queries.filter { $0.length == length }
            for escalates in [false, true] {
                var times: [Double] = []
                var answered = 0
                for query in part {
                    var runs: [Double] = []
                    for run in 0..<repetitions {
                        let start = ProcessorTime.nowOfThread
                        let found = try Engine.search(catalog, for: query.signature, escalates: escalates)
                        runs.append((ProcessorTime.nowOfThread - start).processor)
                        if run == 0, found.isAnswered { answered += 1 }
                    }
                    times.append(Output.median(runs))
                }
                times.sort()
                figures.append(
                    Figure(
                        length: length,
                        mode: escalates ? "shipped" : "plain",
                        queries: part.count,
                        answered: Double(answered) / Double(part.count),
                        median: Output.quantile(times, 0.5),
                        mean: Output.mean(times),
                        p95: Output.quantile(times, 0.95)
                    )
                )
            }
        }
        return figures
    }

    func scaling(threads: Int) throws -> [Scaling] {
        var results: [Scaling] = []
        for count in 1...max(1, threads) {
            let catalog = catalog
            let start = ProcessorTime.now
            _ = try Parallel.map(queries, jobs: count) { query in
                try Engine.search(catalog, for: query.signature, escalates: false).score
            }
            let time = ProcessorTime.now - start
            let rate = Double(queries.count) / time.wall
            results.append(
                Scaling(
                    threads: count,
                    queriesPerSecond: rate,
                    factor: rate / (results.first?.queriesPerSecond ?? rate),
                    processor: time.processor / Double(queries.count)
                )
            )
        }
        return results
    }
}
