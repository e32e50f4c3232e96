import BenchmarkSupport
import Foundation

/// Shares and how certain they are.
enum Report {
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
        return (hits, share, Output.quantile(shares, 0.95), Output.quantile(shares, 0.05))
    }
}
