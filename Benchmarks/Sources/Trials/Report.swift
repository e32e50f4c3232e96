import BenchmarkSupport
import Foundation

/// Tables for people, and the numbers in them.
enum Report {
    /// A line of comment on standard error.
    static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Prints rows with aligned columns, the first to the left and the others to the right.
    static func table(_ rows: [[String]]) {
        guard let columns = rows.map(\.count).max() else { return }
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { index, text in
                let space = String(repeating: " ", count: widths[index] - text.count)
                return index == 0 ? text + space : space + text
            }
            print(cells.joined(separator: "  "))
        }
    }

    /// The value below which a share of sorted values lies.
    static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        guard let last = sorted.last else { return 0 }
        let place = share * Double(sorted.count - 1)
        let index = Int(place)
        return index + 1 < sorted.count
            ? sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index)) : last
    }

    /// A share of trials with the bound below which it lies with 95 % certainty, were groups drawn anew: a bootstrap of
    /// 2,000 rounds. A share of zero is bounded by 3 over the number of groups, as none of them showed one.
    static func share(
        of trials: [Trial],
        seed: UInt64,
        where condition: (Trial) -> Bool
    ) -> (count: Int, share: Double, upper: Double, lower: Double) {
        var groups: [String: (hits: Int, all: Int)] = [:]
        for trial in trials {
            groups[trial.group, default: (0, 0)].all += 1
            if condition(trial) { groups[trial.group, default: (0, 0)].hits += 1 }
        }
        // In order of name, so that the same seed gives the same bound.
        let counts = groups.sorted { $0.key < $1.key }.map(\.value)
        let hits = counts.reduce(0) { $0 + $1.hits }
        guard !counts.isEmpty else { return (0, 0, 1, 0) }
        let share = Double(hits) / Double(trials.count)
        let none = min(1, 3 / Double(counts.count))
        if hits == 0 { return (0, 0, none, 0) }
        if hits == trials.count { return (hits, 1, 1, 1 - none) }
        var random = SeededGenerator(seed: seed)
        var shares: [Double] = []
        for _ in 0..<2_000 {
            var (drawn, all) = (0, 0)
            for _ in counts.indices {
                let group = counts[random.integer(in: 0..<counts.count)]
                drawn += group.hits
                all += group.all
            }
            shares.append(Double(drawn) / Double(max(all, 1)))
        }
        shares.sort()
        return (hits, share, quantile(shares, 0.95), quantile(shares, 0.05))
    }

    static func percent(_ share: Double, _ digits: Int = 2) -> String { String(format: "%.\(digits)f %%", share * 100) }

    static func number(_ value: Double, _ digits: Int = 2) -> String { String(format: "%.\(digits)f", value) }

    /// Writes a value as JSON.
    static func write(_ value: some Encodable, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(value).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
