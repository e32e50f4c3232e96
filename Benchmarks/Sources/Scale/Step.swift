import BenchmarkSupport
import Foundation

/// What was measured at one number of references.
struct Step: Codable {
    /// Time and score of queries.
    struct Queries: Codable {
        var mode: String
        var count: Int
        var cpuMedian: Double
        var cpuMean: Double
        /// Share with a right answer, and the same on the real references alone.
        var recall: Double
        var recallAlone: Double
        /// Answers that are not the right one.
        var wrong: Int
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
    /// Of the last file: distinct keys and bytes of a key's postings (median, 99 % below, most).
    var keys: Int
    var lists: [Double]
    var postings: Int
    var queries: [Queries]

    func report() {
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
            [
                "postings",
                "\(postings), \(keys) keys in the last file, bytes a key \(lists.map { Output.number($0, 0) })",
            ],
        ])
        Output.table(
            [["queries", "number", "CPU ms median", "mean", "recall", "alone", "wrong"]]
                + queries.map {
                    [
                        $0.mode, "\($0.count)", Output.number($0.cpuMedian * 1000, 1),
                        Output.number($0.cpuMean * 1000, 1), Output.percent($0.recall, 1),
                        Output.percent($0.recallAlone, 1), "\($0.wrong)",
                    ]
                }
        )
    }

    static func megabytes(_ bytes: Int) -> String { Output.number(Double(bytes) / 1e6, 2) + " MB" }
}
