import EarshotSignatures
import Foundation

extension MatchEvidence {
    /// The share of landmarks that would have to fit for an answer, by the score's log-likelihood alone; votes lower it a
    /// little. Nothing when chance is not known.
    package var thresholdShare: Double? {
        guard let chanceShare, insideCount > 0 else { return nil }
        let (n, chance) = (Double(insideCount), min(max(chanceShare, 0.02), 0.9))
        // A recording longer than a query is judged by slices: the threshold is that of the longest.
        let count = min(n, 15 * n / max(1, (marks.last?.time ?? 0) - (marks.first?.time ?? 0)))
        let parameters = MatchingParameters()
        func score(_ share: Double) -> Double {
            let ratio = share * log(share / chance) + (1 - share) * log((1 - share) / (1 - chance))
            return count * ratio / count.squareRoot() * pow(count / 300, 0.15)
        }
        var (low, high) = (chance, 0.999)
        guard score(high) > parameters.threshold else { return nil }
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if score(middle) < parameters.threshold { low = middle } else { high = middle }
        }
        return high
    }
}
