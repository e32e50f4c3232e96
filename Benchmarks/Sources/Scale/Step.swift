import BenchmarkSupport
import Foundation

/// What was measured at one number of references.
struct Step: Codable {
    /// Time and score of queries of one length.
    struct Queries: Codable {
        /// Queries of one condition: how many, answered rightly here, and among the real references alone.
        struct Condition: Codable {
            var name: String
            var count: Int
            var right: Int
            var alone: Int
        }

        var mode: String
        /// In seconds; 0 for all lengths.
        var length: Int
        var count: Int
        var cpuMedian: Double
        var cpuMean: Double
        var cpuHigh: Double
        /// By the clock; absent in figures of before it was measured.
        var wallMedian: Double?
        /// On average over queries.
        var lookups: Double
        var blocks: Double
        var hits: Double
        /// Share with a right answer, and the same on the real references alone.
        var recall: Double
        var recallAlone: Double
        /// Answers that are not the right one.
        var wrong: Int
        var conditions: [Condition]
    }

    var references: Int
    var real: Int
    var hours: Double
    var files: Int
    var seed: UInt64
    /// Making the references up, which no user pays.
    var synthesisCPU: Double
    var buildCPU: Double
    var buildWall: Double
    var bytes: Int
    var landmarkBytes: Int
    var indexBytes: Int
    var openCPU: Double
    var openWall: Double
    /// Memory that opening takes, and that is taken after the queries; mapped pages apart.
    var memoryOpen: Int
    var memoryAfter: Int
    var mappedAfter: Int
    /// The most that was resident while building, made-up references included.
    var memoryBuilding: Int
    var postings: Int
    var blocks: Int
    /// Postings of a whole key and of a pair in one file: how many there are, median, 99 % below, most, and what a posting
    /// meets on average.
    var lists: [IndexCensus]
    var queries: [Queries]

    /// Prints the figures, and holds those of 1,000 hours and more against what such a catalog may take.
    func report(limits: inout Limits) {
        print("\n\(references) references, \(real) of them real, \(Output.number(hours, 0)) h, \(files) files")
        Output.table([
            ["build", "\(Output.number(buildCPU, 1)) s CPU, \(Output.number(buildWall, 1)) s by the clock"],
            ["", "\(Output.number(hours * 3600 / max(buildCPU, 1e-9), 0)) times real time, from signatures"],
            ["memory while building", Self.megabytes(memoryBuilding)],
            ["bytes", "\(Self.megabytes(bytes)), \(Self.megabytes(Int(Double(bytes) / hours))) an hour"],
            ["landmarks", "\(Self.megabytes(Int(Double(landmarkBytes) / hours))) an hour"],
            ["index", "\(Self.megabytes(Int(Double(indexBytes) / hours))) an hour"],
            [
                "open",
                "\(Output.number(openCPU * 1000, 2)) ms CPU, \(Output.number(openWall * 1000, 2)) ms by the clock",
            ],
            ["memory, open", Self.megabytes(memoryOpen)],
            [
                "memory, after queries",
                "\(Self.megabytes(memoryAfter)) and \(Self.megabytes(mappedAfter)) of mapped files",
            ],
            ["postings", "\(postings) in \(blocks) blocks"],
        ])
        if !lists.isEmpty {
            Output.table(
                [["lists in the first file", "number", "median", "99 %", "most", "a posting meets"]]
                    + lists.map {
                        [
                            $0.name, "\($0.distinct)", "\($0.median)", "\($0.high)", "\($0.most)",
                            Output.number($0.meetings, 1),
                        ]
                    }
            )
        }
        for queries in queries { queries.report() }
        // What 1,000 hours must keep to, more keep to as well.
        guard hours >= 1_000 else { return }
        let ids = requirements("R-CC-042")
        limits.hold(ids, "seconds to open", openWall, atMost: 5)
        let plain = queries.filter { $0.mode == "plain" && $0.count > 0 }
        limits.hold(
            ids,
            "queries were asked, and most of them answered",
            !plain.isEmpty && plain.allSatisfy { $0.recall > 0.5 }
        )
        for queries in plain {
            let length = queries.length
            limits.hold(
                ids,
                "seconds of a query by the clock, median of \(length) s,",
                queries.wallMedian ?? .infinity,
                atMost: 0.2
            )
            limits.hold(ids, "seconds of a query, nine in ten of \(length) s,", queries.cpuHigh, atMost: 0.2)
        }
    }

    static func megabytes(_ bytes: Int) -> String { Output.number(Double(bytes) / 1e6, 2) + " MB" }
}

extension Step.Queries {
    func report() {
        Output.table([
            [
                "\(mode), \(length > 0 ? "\(length) s" : "all lengths")", "number", "CPU ms median", "mean", "90 %",
                "lookups", "blocks", "votes", "recall", "alone", "wrong",
            ],
            [
                "", "\(count)", Output.number(cpuMedian * 1000, 1), Output.number(cpuMean * 1000, 1),
                Output.number(cpuHigh * 1000, 1), Output.number(lookups, 0), Output.number(blocks, 0),
                Output.number(hits, 0), Output.percent(recall, 1), Output.percent(recallAlone, 1), "\(wrong)",
            ],
        ])
        let lost = conditions.filter { $0.right != $0.alone }.map {
            "\($0.name) \($0.alone) → \($0.right) of \($0.count)"
        }
        if !lost.isEmpty { print("  " + lost.joined(separator: ", ")) }
    }
}
