import ArgumentParser
import BenchmarkSupport
import EarshotMedia
import Foundation

struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Fit how sure an answer of a score is.",
        discussion: """
            Takes what `positives` and `negatives` wrote. The probability that the best candidate is right is fitted as \
            1 / (1 + exp(-slope · (score - middle))), for all queries and for each length. Errors are measured on the \
            half of the groups that the fit has not seen, by turns.

            EXAMPLE
              trials calibrate --positives positives.csv --negatives negatives.csv --picture reliability.png
            """
    )

    @Option(help: "What `positives` wrote.")
    var positives: String

    @Option(help: "What `negatives` wrote.")
    var negatives: String

    @Option(help: "The share of queries that are of music in no catalog, where the confidence is to hold.")
    var foreign = 0.5

    @Option(help: "Write the reliability diagram to this PNG file.")
    var picture: String?

    @Option(help: "Write the fit to this JSON file.")
    var json: String?

    private struct Result: Encodable {
        var foreign: Double
        var all: LogisticFit
        var byLength: [String: LogisticFit]
        var errors: [String: Double]
    }

    func run() throws {
        let samples = try CalibrationSample.load(positives: positives, negatives: negatives, foreign: foreign)
        let all = LogisticFit(samples)
        let lengths = Set(samples.map(\.length)).sorted()
        let byLength = Dictionary(
            uniqueKeysWithValues: lengths.map { length in (length, LogisticFit(samples.filter { $0.length == length }))
            }
        )
        var rows = [["fit", "queries", "slope", "middle"]]
        func row(_ name: String, _ fit: LogisticFit, _ count: Int) -> [String] {
            [name, "\(count)", Output.number(fit.slope, 3), Output.number(fit.middle, 3)]
        }
        rows.append(row("all lengths", all, samples.count))
        for length in lengths {
            guard let fit = byLength[length] else { continue }
            rows.append(row("\(length) s", fit, samples.count { $0.length == length }))
        }
        Output.table(rows)

        let shipped = samples.map(\.confidence)
        let common = Self.unseen(samples, byLength: false)
        let own = Self.unseen(samples, byLength: true)
        let curves = [("shipped", shipped), ("one fit", common), ("a fit for each length", own)]
        var errors: [String: Double] = [:]
        print("\nexpected calibration error, and among answers, at \(Output.percent(foreign, 0)) foreign queries")
        var table = [["", "all candidates", "answers"]]
        for (name, probabilities) in curves {
            let error = Reliability(samples, probabilities).error
            let answers = zip(samples, probabilities).filter(\.0.isAnswered)
            let answerError = Reliability(answers.map(\.0), answers.map(\.1)).error
            errors[name] = error
            errors[name + ", answers"] = answerError
            table.append([name, Output.number(error, 4), Output.number(answerError, 4)])
        }
        Output.table(table)
        print(
            "\nfor the engine: confidenceSlope \(Output.number(all.slope, 2)), middle \(Output.number(all.middle, 2))"
        )
        if let json {
            let named = Dictionary(uniqueKeysWithValues: byLength.map { ("\($0.key)", $0.value) })
            try Output.write(Result(foreign: foreign, all: all, byLength: named, errors: errors), to: json)
        }
        if let picture {
            let svg = ReliabilityDiagram(curves.map { ($0.0, Reliability(samples, $0.1)) }).svg
            let image = try RasterImage.rendering(svg: Array(svg.utf8), width: 720, height: 720)
            try Data(image.pngData()).write(to: URL(fileURLWithPath: picture), options: .atomic)
        }
    }

    /// Probabilities of samples by fits to the half of the groups that each is not in.
    private static func unseen(_ samples: [CalibrationSample], byLength: Bool) -> [Double] {
        let groups = Array(Set(samples.map(\.group))).sorted()
        let half = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1, $0 % 2) })
        var fits: [[Int]: LogisticFit] = [:]
        return samples.map { sample in
            let part = half[sample.group] ?? 0
            let key = [part, byLength ? sample.length : 0]
            if let fit = fits[key] { return fit.probability(of: sample.score) }
            let fit = LogisticFit(
                samples.filter { half[$0.group] != part && (!byLength || $0.length == sample.length) }
            )
            fits[key] = fit
            return fit.probability(of: sample.score)
        }
    }
}
