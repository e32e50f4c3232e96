import BenchmarkSupport
import Foundation

/// The time that something takes, as the median of repetitions.
struct Measurement: Codable {
    var name: String
    /// What one repetition works through, such as seconds of audio.
    var amount: Double
    var unit: String
    var repetitions: Int
    /// Seconds of processor time, user and system, of one repetition.
    var processorSeconds: Double
    /// Seconds by the clock of one repetition.
    var wallSeconds: Double
    /// Amount a second of processor time.
    var rate: Double

    /// Runs something once to warm up, then measures it.
    ///
    /// - Parameters:
    ///   - amount: What one run works through.
    ///   - unit: In which unit that is.
    init(
        _ name: String,
        amount: Double,
        unit: String,
        repetitions: Int,
        _ work: () throws -> Void
    ) rethrows {
        try work()
        var times: [ProcessorTime] = []
        for _ in 0..<repetitions {
            let start = ProcessorTime.now
            try work()
            times.append(ProcessorTime.now - start)
        }
        self.name = name
        self.amount = amount
        self.unit = unit
        self.repetitions = repetitions
        processorSeconds = Output.median(times.map(\.processor))
        wallSeconds = Output.median(times.map(\.wall))
        rate = amount / max(processorSeconds, 1e-9)
    }

    var row: [String] {
        [
            name, Output.number(amount, 1) + " " + unit, Output.number(processorSeconds * 1000, 2),
            Output.number(wallSeconds * 1000, 2), Output.number(rate, rate < 100 ? 2 : 0) + " \(unit)/s",
        ]
    }

    static let header = ["what", "amount", "CPU ms", "clock ms", "a second of CPU"]
}
