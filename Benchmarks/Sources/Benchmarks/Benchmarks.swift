import ArgumentParser
import BenchmarkSupport
import Earshot
import Foundation

@main
struct Benchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks",
        abstract: "Measure how fast each part is.",
        discussion: """
            Processor time is user and system time of the process, the median of the repetitions behind one warm-up. \
            `s/s` is seconds of audio a second of processor time: how many times faster than real time one core is.

            EXAMPLE
              benchmarks --audio track.ogg --audio track.mp3 --catalog music.earcat --queries queries --json out.json
            """
    )

    @Option(parsing: .upToNextOption, help: "Recordings to decode, such as one of each format.")
    var audio: [String] = []

    @Option(help: "A catalog to ask.")
    var catalog: String?

    @Option(help: "A folder of queries, recordings or signatures.")
    var queries: String?

    @Option(help: "Queries of each length that are asked, at most.")
    var limit = 100

    @Option(help: "Runs of each measurement; the median counts.")
    var repetitions = 5

    @Option(help: "Threads that ask at the same time, for the last measurement.")
    var threads = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "Only measurements whose name holds this.")
    var only: String?

    @Option(help: "Write the signature of each recording to this folder, to compare two builds, and measure nothing.")
    var signatures: String?

    @Option(help: "Write the figures to this JSON file.")
    var json: String?

    private struct Result: Encodable {
        var measurements: [Measurement]
        var queries: [QueryBenchmark.Figure]
        var threads: [QueryBenchmark.Scaling]
    }

    func run() throws {
        if let signatures {
            for path in audio {
                let url = URL(fileURLWithPath: path)
                let file = URL(fileURLWithPath: signatures).appendingPathComponent(url.lastPathComponent + ".earsig")
                try Recording.signature(of: url).write(to: file, replacing: true)
            }
            return
        }
        let runner = Runner(repetitions: repetitions, only: only)
        try SignatureBenchmarks(audio: audio).run(runner)
        if let catalog { try CatalogBenchmarks(path: catalog).run(runner) }
        var figures: [QueryBenchmark.Figure] = []
        var scaling: [QueryBenchmark.Scaling] = []
        if let catalog, let queries, only.map({ "query".contains($0) }) ?? true {
            let benchmark = try QueryBenchmark(catalog: catalog, queries: queries, limit: limit)
            figures = try benchmark.figures(repetitions: repetitions)
            print("")
            Output.table([QueryBenchmark.Figure.header] + figures.map(\.row))
            scaling = try benchmark.scaling(threads: threads)
            print("")
            Output.table([QueryBenchmark.Scaling.header] + scaling.map(\.row))
        }
        if let json {
            try Output.write(Result(measurements: runner.measurements, queries: figures, threads: scaling), to: json)
        }
    }
}
