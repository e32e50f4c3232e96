import BenchmarkSupport

/// Runs measurements that are asked for, and prints each as it comes.
final class Runner {
    private(set) var measurements: [Measurement] = []
    private let repetitions: Int
    private let only: String?

    init(repetitions: Int, only: String?) {
        self.repetitions = max(1, repetitions)
        self.only = only
    }

    /// Whether a measurement is asked for.
    func wants(_ name: String) -> Bool { only.map { name.contains($0) } ?? true }

    /// Measures something, unless its name is not asked for.
    func measure(_ name: String, amount: Double, unit: String, _ work: () throws -> Void) rethrows {
        guard wants(name) else { return }
        let measurement = try Measurement(name, amount: amount, unit: unit, repetitions: repetitions, work)
        if measurements.isEmpty { Output.table([Measurement.header].map(Self.padded)) }
        Output.table([measurement.row].map(Self.padded))
        measurements.append(measurement)
    }

    private static func padded(_ row: [String]) -> [String] {
        zip(row, [46, 12, 10, 10, 18]).map { text, width in
            let space = String(repeating: " ", count: max(0, width - text.count))
            return width == 46 ? text + space : space + text
        }
    }
}
