import ArgumentParser
import BenchmarkSupport
import Foundation

struct Positives: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "positives",
        abstract: "How often music that is in the catalog is found.",
        discussion: """
            A catalog is made of all tracks and asked for excerpts of them. An answer is right when it names a track of \
            the same group.

            EXAMPLE
              trials positives --music music.csv --noise noise --count 4000 -o positives.csv --json positives.json
            """
    )

    @OptionGroup var plan: Plan

    private struct Result: Encodable {
        var tracks: Int
        var seed: UInt64
        var threshold: Double
        var seconds: Double
        var processorSeconds: Double
        var offsetWithinHalfSecond: Double
        var offsetErrorMedian: Double
        var summaries: [Summary]
    }

    func run() throws {
        let start = ProcessorTime.now
        let run = try TrialRun(plan)
        let trials = try run.keepingAll()
        if let output = plan.output { try Trial.write(trials, to: output) }
        let summaries = Summary.all(trials, seed: plan.seed, isUpper: false) { $0.answer.isAnswered && $0.isRight }
        let time = ProcessorTime.now - start
        let right = trials.filter { $0.isRight && $0.answer.isAnswered }
        let errors = right.map { abs($0.offsetError) }.sorted()
        let near = Double(errors.count { $0 <= 0.5 }) / Double(max(1, trials.count))
        let result = Result(
            tracks: run.tracks.count,
            seed: plan.seed,
            threshold: Answer.threshold,
            seconds: time.wall,
            processorSeconds: time.processor,
            offsetWithinHalfSecond: near,
            offsetErrorMedian: Output.quantile(errors, 0.5),
            summaries: summaries
        )
        if let json = plan.json { try Output.write(result, to: json) }
        let threshold = Output.number(Answer.threshold)
        print("\(run.tracks.count) tracks; answers are given from score \(threshold) on\n")
        Output.table([Summary.header(bound: "right, 95 % above")] + summaries.map(\.row))
        let median = Output.number(Output.quantile(errors, 0.5) * 1000, 1)
        print(
            "\nright track and offset within half a second \(Output.percent(near)); offset error \(median) ms in the median"
        )
        print("\(Output.number(time.processor, 0)) s of processor time, \(Output.number(time.wall, 0)) s by the clock")
    }
}
