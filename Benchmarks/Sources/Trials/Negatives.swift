import ArgumentParser
import BenchmarkSupport
import Foundation

struct Negatives: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "negatives",
        abstract: "How often music that is in no catalog is answered.",
        discussion: """
            A part of the groups is left out in turn; a catalog is made of the others and asked for excerpts of what was \
            left out. Every answer is wrong, unless the two tracks hold the same recording: the answers are listed with \
            their places, to be listened to.

            EXAMPLE
              trials negatives --music music.csv --noise noise --count 10000 -o negatives.csv --json negatives.json
            """
    )

    @OptionGroup var plan: Plan

    @Option(help: "In how many parts the groups are left out.")
    var parts = 5

    private struct Result: Encodable {
        var tracks: Int
        var seed: UInt64
        var threshold: Double
        var seconds: Double
        var processorSeconds: Double
        var summaries: [Summary]
    }

    func run() throws {
        let start = ProcessorTime.now
        let run = try TrialRun(plan)
        let trials = try run.leavingOut(parts: parts)
        if let output = plan.output { try Trial.write(trials, to: output) }
        let summaries = Summary.all(trials, seed: plan.seed, isUpper: true) { $0.answer.isAnswered }
        let time = ProcessorTime.now - start
        let result = Result(
            tracks: run.tracks.count,
            seed: plan.seed,
            threshold: Answer.threshold,
            seconds: time.wall,
            processorSeconds: time.processor,
            summaries: summaries
        )
        if let json = plan.json { try Output.write(result, to: json) }
        let threshold = Output.number(Answer.threshold)
        print("\(run.tracks.count) tracks, left out in \(parts) parts; answers are given from score \(threshold) on\n")
        Output.table([Summary.header(bound: "95 % below")] + summaries.map(\.row))
        Self.list(trials)
        print(
            "\n\(Output.number(time.processor, 0)) s of processor time, \(Output.number(time.wall, 0)) s by the clock"
        )
    }

    /// The answers, so that a person can listen to both places: a shared recording is no mistake.
    private static func list(_ trials: [Trial]) {
        let answers = trials.filter(\.answer.isAnswered).sorted { $0.answer.score > $1.answer.score }
        guard !answers.isEmpty else { return }
        let same = answers.count { abs($0.answer.speed - 1) < 0.003 && abs($0.answer.pitch) < 0.003 }
        print("\n\(same) of \(answers.count) answers are at the original's speed and pitch within 0.3 %, as a shared")
        print("recording or sample would be. Answered, highest score first:\n")
        var rows = [["track", "from s", "length", "noise", "reference", "at s", "speed", "pitch", "score"]]
        for trial in answers.prefix(200) {
            let answer = trial.answer
            rows.append([
                trial.track, Output.number(trial.start), Output.number(trial.cell.length, 0), trial.cell.noise,
                answer.id ?? "", Output.number(answer.offset), Output.number(answer.speed, 4),
                Output.number(answer.pitch, 4), Output.number(answer.score),
            ])
        }
        Output.table(rows)
        if answers.count > 200 { print("… and \(answers.count - 200) more") }
    }
}
