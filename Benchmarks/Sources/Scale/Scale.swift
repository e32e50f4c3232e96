import ArgumentParser
import BenchmarkSupport
import Earshot
import Foundation

/// How catalogs grow.
@main
struct Scale: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Measure how time, memory and recall go with the number of references.",
        discussion: """
            References of four minutes are made up out of the signatures of real ones; the real ones stand among them, \
            and queries with known answers are asked. The same seed makes the same references.

            EXAMPLES
              scale --references 1000 --references 10000 --real music.earcat --queries queries --out parts --json s.json
              scale --realism --real music.earcat --foreign foreign
              scale --fit s.json
            """
    )

    @Option(help: "How many references; may be given several times, one step each.")
    var references: [Int] = []

    @Option(help: "A catalog of real music.")
    var real: String?

    @Option(help: "A folder of queries with queries.csv.")
    var queries: String?

    @Option(help: "A folder of queries of music that is not in the catalog.")
    var foreign: String?

    @Option(help: "Where catalogs are written; each step's are removed when it is done.")
    var out = "scale-output"

    @Option(help: "Queries of the folder that are taken, at most.")
    var limit = 160

    @Option(help: "Of each length, how many are asked with the search for other speeds and pitches.")
    var escalated = 40

    @Option(help: "Only queries of so many seconds; may be given several times.")
    var length: [Int] = []

    @Option(help: "References in one catalog file.")
    var perFile = 12_500

    @Option(help: "Files that are built at once; each takes some 360 KB of memory a reference.")
    var jobs = 2

    @Option(help: "The number from which all that is drawn follows.")
    var seed: UInt64 = 1

    @Flag(help: "Hold made-up references against real ones.")
    var realism = false

    @Flag(help: "Leave the catalogs where they are; the next run takes them.")
    var keep = false

    @Flag(help: "Count the lists of the index.")
    var census = false

    @Option(help: "Search with another number than the command, such as quickBlocks=4000; may be given several times.")
    var set: [String] = []

    @Option(help: "Write the steps to this JSON file.")
    var json: String?

    @Option(parsing: .upToNextOption, help: "Results of earlier runs: fit lines through them and print what they say.")
    var fit: [String] = []

    @Option(parsing: .upToNextOption, help: .hidden)
    var probe: [String] = []

    func run() throws {
        if !probe.isEmpty { return try MemoryProbe.answer(probe) }
        if !fit.isEmpty { return try Fit(fit).report() }
        guard let real else { throw Failure("A catalog of real music is wanted: --real.") }
        var originals: [Reference] = []
        try Catalog(contentsOf: URL(fileURLWithPath: real)).forEachReference { originals.append($0) }
        let synthesis = Synthesis(originals.map(\.signature), seed: seed)
        guard synthesis.canMake else { throw Failure("\(real) has no reference of half a minute or more.") }
        if realism {
            let foreign = try foreign.map { try QueryFolder($0, limit: limit).queries } ?? []
            try Realism(real: originals, synthesis: synthesis, foreign: foreign).report()
        }
        guard !references.isEmpty else { return }
        guard let queries else { throw Failure("Queries are wanted: --queries.") }
        let asked = try QueryFolder(queries, limit: limit).queries.filter {
            $0.truth != nil && (length.isEmpty || length.contains($0.length))
        }
        let parameters = try Tuning.parameters(set)
        var steps: [Step] = []
        var limits = Limits()
        let alone = try alone(asked, real: real)
        for count in references.sorted() {
            let run = StepRun(
                real: originals,
                synthesis: synthesis,
                queries: asked,
                alone: alone,
                escalated: escalated,
                perFile: perFile,
                jobs: jobs,
                seed: seed,
                parameters: parameters,
                census: census
            )
            let folder = URL(fileURLWithPath: out).appendingPathComponent("\(count)")
            let step = try run.run(count, in: folder)
            step.report(limits: &limits)
            steps.append(step)
            if let json { try Output.write(steps, to: json) }
            if !keep { try FileManager.default.removeItem(at: folder) }
        }
        if steps.count > 1, let json {
            print("")
            try Fit([json]).report()
        }
        try limits.finish()
    }

    /// The queries that are answered rightly among the real references alone, plain and as shipped.
    private func alone(_ queries: [QueryFolder.Query], real: String) throws -> [Bool: Set<String>] {
        let catalog = try Catalog(contentsOf: URL(fileURLWithPath: real))
        var result: [Bool: Set<String>] = [:]
        for escalates in [false, true] {
            for query in queries {
                let found = try Engine.search(catalog, for: query.signature, escalates: escalates)
                if found.isAnswered, StepRun.isRight(found.id, query) {
                    result[escalates, default: []].insert(query.id)
                }
            }
        }
        return result
    }
}
