import ArgumentParser
import CommandKit
import Earshot
import EarshotAnalysis
import EarshotCore
import Foundation

#if Library
    import EarshotSQLite
#endif

struct AnalyzeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Analyze music: how loud it is, its tempo and key, its silence and clipping, what it looks like.",
        discussion: """
            A build with the trait Library keeps results, so that the same command resumes after an interruption and reads only \
            new and changed files.

            EXAMPLES
              earshot analyze ~/Music
              earshot analyze album/ --only loudness --json
            """,
        aliases: ["analyse"]
    )

    @Argument(help: "Files and folders.", completion: .file())
    var inputs: [String]

    @Option(
        name: .long,
        parsing: .upToNextOption,
        help: "Only these: \(Self.analyzers.map(\.name).joined(separator: ", "))."
    )
    var only: [String] = []

    @Option(name: .shortAndLong, help: "Files at a time; as many as there are processors unless stated.")
    var jobs: Int?

    @Option(name: .long, help: "Keep results here.", completion: .file(extensions: ["sqlite"]))
    var database: String?

    @Flag(
        name: .shortAndLong,
        help: "Log when it begins, how many items there are, what came of it, and how long it took."
    )
    var verbose = false

    @OptionGroup
    var format: OutputOptions

    private static let analyzers: [any AudioAnalyzer] = [
        LoudnessAnalyzer(), RhythmAnalyzer(), KeyAnalyzer(), SilenceAnalyzer(), WaveformAnalyzer(),
    ]

    func validate() throws {
        for name in only where !Self.analyzers.contains(where: { $0.name == name }) {
            throw ValidationError(
                "There is no analysis \"\(name)\": choose \(Self.analyzers.map(\.name).joined(separator: ", "))."
            )
        }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    }

    /// The results for one file, as a line of JSON.
    private struct Line: Encodable {
        let file: String
        var results: [String: JSONValue] = [:]
        var failures: [String: String] = [:]
    }

    func run() async throws {
        let found = try MusicFiles(inputs)
        let wanted = Self.analyzers.filter { only.isEmpty || only.contains($0.name) }
        let store = try store()
        var items: [LibraryAnalysis.Item] = []
        for file in found.files {
            items.append(
                LibraryAnalysis.Item(id: file.url.path, url: file.url, stamp: Self.stamp(of: file.url))
            )
        }
        let analysis = LibraryAnalysis(
            wanted,
            store: store,
            width: jobs ?? ProcessInfo.processInfo.activeProcessorCount
        )
        let bar = ProgressBar(total: items.count)
        let interruption = Interruption("Interrupted: run the same command again to go on.")
        defer { _ = interruption }
        var lines: [Line] = []
        var summary = LibraryAnalysis.Summary()
        for try await event in analysis.run(items) {
            if verbose { for entry in event.logEntries { Terminal.note("\(entry)") } }
            switch event {
            case .began: break
            case .finished(let item, let records, let isNew):
                if isNew { bar.step(audioSeconds: 0) } else { bar.skip(1) }
                lines.append(try line(item, records))
            case .ended(let result): summary = result
            }
        }
        bar.finish()
        lines.sort { $0.file < $1.file }
        try tell(lines, summary)
        if summary.failed > 0 { throw ExitCode(1) }
    }

    /// For example `F sharp minor`.
    private static func keyName(_ tonic: Int, _ mode: String) -> String {
        let names = ["C", "D flat", "D", "E flat", "E", "F", "F sharp", "G", "A flat", "A", "B flat", "B"]
        guard names.indices.contains(tonic) else { return mode }
        return "\(names[tonic]) \(mode)"
    }

    /// The store of results: a database, or the memory in a build without one.
    private func store() throws -> any AnalysisStore {
        #if Library
            if let database { return try SQLiteAnalysisStore(url: URL(fileURLWithPath: database)) }
            let url = UserFolders().own("analysis.sqlite", .cache)
            let folder = url.deletingLastPathComponent()
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try SQLiteAnalysisStore(url: url)
        #else
            if database != nil { throw LeftOutFeature.error("--database", "Library") }
            return MemoryAnalysisStore()
        #endif
    }

    /// Tells a changed file from an unchanged one without reading it.
    private static func stamp(of url: URL) -> String {
        let found = try? FileManager.default.attributesOfItem(atPath: url.path)
        let size = (found?[.size] as? NSNumber)?.int64Value ?? -1
        let time = (found?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(size) \(time)"
    }

    private func line(_ item: LibraryAnalysis.Item, _ records: [AnalysisRecord]) throws -> Line {
        var line = Line(file: item.id)
        for record in records {
            switch record.outcome {
            case .result(let bytes):
                line.results[record.analyzer] = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
            case .failure(_, let message): line.failures[record.analyzer] = message
            }
        }
        return line
    }

    private func tell(_ lines: [Line], _ summary: LibraryAnalysis.Summary) throws {
        if format.json { return Terminal.print(try JSON.document(lines)) }
        if format.jsonl {
            for line in lines { Terminal.print(try JSON.line(line)) }
            return
        }
        for line in lines {
            if let message = line.failures.values.sorted().first {
                Terminal.printError(message)
                continue
            }
            var parts: [String] = []
            for (name, format) in [("integrated", "%6.1f LUFS"), ("range", "%4.1f LU"), ("truePeak", "%5.1f dBTP")] {
                guard let value = line.results["loudness"]?[name]?.number else { continue }
                parts.append(String(format: format, value))
            }
            if let tempo = line.results["rhythm"]?["tempo"]?["beatsPerMinute"]?.number {
                parts.append(String(format: "%5.1f bpm", tempo))
            }
            if let key = line.results["key"], let tonic = key["tonic"]?.number,
                case .string(let mode)? = key["mode"]
            {
                parts.append(Self.keyName(Int(tonic), mode))
            }
            if let runs = line.results["silence"]?["clippedRuns"]?.number, runs > 0 {
                parts.append("\(Int(runs)) clipped")
            }
            Terminal.print((parts + [Terminal.shown(line.file)]).joined(separator: "  "))
        }
        var counts = ["\(summary.analyzed) analyzed"]
        if summary.unchanged > 0 { counts.append("\(summary.unchanged) known already") }
        if summary.failed > 0 { counts.append("\(summary.failed) failed") }
        Terminal.note(counts.joined(separator: ", "))
    }
}
