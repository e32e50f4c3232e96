import BenchmarkSupport
import Foundation

/// What came of the queries of one kind, or of all.
struct Summary: Codable {
    var length: Double?
    var noise: String?
    var queries: Int
    var groups: Int
    var answered: Int
    var answeredShare: Double
    /// The share of answers lies below this with 95 % certainty; for positives, the share of right answers above.
    var bound: Double
    var right: Int
    var wrong: Int
    /// Scores of the best candidates: what half, 90, 99 and 99.9 % of them lie below, and the highest.
    var quantiles: [Double]

    /// - Parameter counts: Which trials the bound is for, and whether it is an upper one.
    init(_ trials: [Trial], seed: UInt64, isUpper: Bool, where counts: (Trial) -> Bool) {
        let scores = trials.map(\.answer.score).sorted()
        let share = Report.share(of: trials, seed: seed, where: counts)
        queries = trials.count
        groups = Set(trials.map(\.group)).count
        answered = trials.count { $0.answer.isAnswered }
        answeredShare = Double(answered) / Double(max(1, queries))
        bound = isUpper ? share.upper : share.lower
        right = trials.count { $0.answer.isAnswered && $0.isRight }
        wrong = answered - right
        quantiles = [0.5, 0.9, 0.99, 0.999, 1].map { Output.quantile(scores, $0) }
    }

    /// Summaries of each kind, of each length, of each level of noise, and of all.
    static func all(_ trials: [Trial], seed: UInt64, isUpper: Bool, where counts: (Trial) -> Bool) -> [Summary] {
        func summary(_ part: [Trial], _ length: Double?, _ noise: String?) -> Summary {
            var summary = Summary(part, seed: seed, isUpper: isUpper, where: counts)
            summary.length = length
            summary.noise = noise
            return summary
        }
        let cells = Set(trials.map(\.cell)).sorted()
        var result = cells.map { cell in summary(trials.filter { $0.cell == cell }, cell.length, cell.noise) }
        for length in Set(cells.map(\.length)).sorted() {
            result.append(summary(trials.filter { $0.cell.length == length }, length, nil))
        }
        var noises: [String] = []
        for cell in cells where !noises.contains(cell.noise) { noises.append(cell.noise) }
        for noise in noises { result.append(summary(trials.filter { $0.cell.noise == noise }, nil, noise)) }
        return result + [summary(trials, nil, nil)]
    }

    var row: [String] {
        [length.map { Output.number($0, 0) + " s" } ?? "all", noise ?? "all", "\(queries)", "\(groups)", "\(answered)"]
            + [Output.percent(answeredShare, 3), Output.percent(bound, 3), "\(right)", "\(wrong)"]
            + quantiles.map { Output.number($0) }
    }

    static func header(bound: String) -> [String] {
        ["length", "noise", "queries", "groups", "answered", "share", bound, "right", "wrong"]
            + ["score 50 %", "90 %", "99 %", "99.9 %", "highest"]
    }
}
