import BenchmarkSupport
import Foundation

/// A query's best candidate: its score, and whether it was right.
struct CalibrationSample {
    var group: String
    var length: Int
    var score: Double
    var confidence: Double
    var isAnswered: Bool
    var isRight: Bool
    /// How much it counts.
    var weight: Double

    /// Reads what both trials wrote, with weights by which so large a share of the queries is foreign.
    static func load(positives: String, negatives: String, foreign: Double) throws -> [CalibrationSample] {
        guard foreign > 0, foreign < 1 else { throw Failure("The share of foreign queries lies between 0 and 1.") }
        let own = try read(positives)
        let others = try read(negatives)
        guard !own.isEmpty, !others.isEmpty else { throw Failure("A fit needs queries of both kinds.") }
        func weighted(_ samples: [CalibrationSample], _ share: Double) -> [CalibrationSample] {
            samples.map { sample in
                var sample = sample
                sample.weight = share * Double(own.count + others.count) / Double(samples.count)
                return sample
            }
        }
        return weighted(own, 1 - foreign) + weighted(others, foreign)
    }

    private static func read(_ path: String) throws -> [CalibrationSample] {
        let table = try CSVTable(contentsOf: URL(fileURLWithPath: path))
        func column(_ name: String) throws -> Int { try table.requiredColumn(name, of: path) }
        let (group, length, score) = (try column("group"), try column("length"), try column("score"))
        let (confidence, answered, right) = (try column("confidence"), try column("answered"), try column("right"))
        return table.rows.map { row in
            CalibrationSample(
                group: row[group],
                length: Int(row[length]) ?? 0,
                score: Double(row[score]) ?? 0,
                confidence: Double(row[confidence]) ?? 0,
                isAnswered: row[answered] == "1",
                isRight: row[right] == "1",
                weight: 1
            )
        }
    }
}

/// A logistic curve from scores to probabilities.
struct LogisticFit: Codable {
    /// How steep it is at its middle, four times over.
    var slope: Double
    /// The score at which the probability is one half.
    var middle: Double

    /// The most likely curve, by Newton's method, with a slight pull towards a flat one so that samples that can be told
    /// apart wholly have a fit too.
    init(_ samples: [CalibrationSample]) {
        var (a, b) = (1.0, -3.0)
        for _ in 0..<60 {
            var (ga, gb, haa, hab, hbb) = (-1e-3 * a, 0.0, 1e-3, 0.0, 1e-6)
            for sample in samples {
                let p = 1 / (1 + exp(-(a * sample.score + b)))
                let error = ((sample.isRight ? 1 : 0) - p) * sample.weight
                let curve = max(p * (1 - p), 1e-9) * sample.weight
                ga += error * sample.score
                gb += error
                haa += curve * sample.score * sample.score
                hab += curve * sample.score
                hbb += curve
            }
            let determinant = haa * hbb - hab * hab
            guard determinant > 1e-12 else { break }
            // Full steps may leap where the curve is flat.
            let (da, db) = ((hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant)
            let scale = min(1, 2 / max(abs(da), abs(db) / 3, 1e-9))
            a += da * scale
            b += db * scale
            if abs(da) + abs(db) < 1e-9 { break }
        }
        slope = a
        middle = -b / a
    }

    /// The probability at a score.
    func probability(of score: Double) -> Double { 1 / (1 + exp(-slope * (score - middle))) }
}
