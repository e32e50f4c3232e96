import ArgumentParser
import BenchmarkSupport
import Earshot
import EarshotCore
import Foundation

/// How soon the first answer comes, whether it is right, and what listening costs.
///
/// Under `cpu-share` stands processor time as a share of one core.
struct First: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Feed clips as if live and note the first answer of each.",
        discussion: """
            The folder has a queries.csv with query_id, path, condition, true_id and true_offset_s. The clips run at the \
            speed of their tracks.
            """
    )

    @Argument(help: "A folder of clips with queries.csv.") var folder: String
    @Option(help: "The catalog.") var catalog: String
    @Option(help: "Where to write a line for each clip.") var output: String?
    @Option(help: "Clips, at most.") var limit = 100_000
    @Option(help: "A folder with the references' recordings: the position at the end is refined with them.")
    var references: String?

    /// What became of one clip.
    struct Outcome {
        var first: Double?
        var isRight = false
        /// Whether the first answer named the right reference, at whatever place.
        var isRightReference = false
        /// When the right reference was first named, at whatever place.
        var named: Double?
        /// When the first right answer came, with the right place.
        var right: Double?
        /// Whether the last answer was right.
        var endsRight = false
        /// How far from the truth the position was at the last right answer, in seconds.
        var error: Double?
        var cpu = 0.0
    }

    func run() async throws {
        let url = URL(fileURLWithPath: folder)
        let table = try CSVTable(contentsOf: url.appendingPathComponent("queries.csv"))
        let (id, path) = (
            try table.requiredColumn("query_id", of: folder), try table.requiredColumn("path", of: folder)
        )
        let condition = try table.requiredColumn("condition", of: folder)
        let truth = try table.requiredColumn("true_id", of: folder)
        let offset = try table.requiredColumn("true_offset_s", of: folder)
        let catalog = try Catalog(contentsOf: URL(fileURLWithPath: catalog))
        var files: [String: URL] = [:]
        if let references {
            for name in try FileManager.default.contentsOfDirectory(atPath: references) {
                let file = URL(fileURLWithPath: references).appendingPathComponent(name)
                files[file.deletingPathExtension().lastPathComponent] = file
            }
        }
        var outcomes: [String: [Outcome]] = [:]
        var lines = CSVTable(header: ["query_id", "condition", "first_s", "right_s", "error_s"])
        for row in table.rows.prefix(limit) {
            let recording = try Recording(contentsOf: url.appendingPathComponent(row[path]))
            let name = row[truth].isEmpty ? nil : row[truth]
            let audio = try name.flatMap { name in files[name] }.map { try Recording(contentsOf: $0) }
            let outcome = try await Self.feed(
                recording,
                to: catalog,
                truth: name,
                offset: Double(row[offset]) ?? 0,
                audio: audio
            )
            outcomes[row[condition], default: []].append(outcome)
            func text(_ value: Double?) -> String { value.map { String(format: "%.3f", $0) } ?? "" }
            lines.append(
                [
                    row[id], row[condition],
                    (outcome.isRight || outcome.first == nil ? "" : "wrong ") + text(outcome.first),
                    text(outcome.right), text(outcome.error),
                ]
            )
        }
        if let output { try lines.write(to: URL(fileURLWithPath: output)) }
        print(
            "condition clips answered wrong-first wrong-place-first wrong-last named-p50 named-p95 right p50 p95 error-p50-ms error-p99-ms cpu-share"
        )
        for (condition, all) in outcomes.sorted(by: { $0.key < $1.key }) {
            let times = all.compactMap(\.right).sorted()
            let named = all.compactMap(\.named).sorted()
            let errors = all.compactMap(\.error).map { abs($0) * 1000 }.sorted()
            func at(_ sorted: [Double], _ share: Double) -> String {
                sorted.isEmpty
                    ? "-" : String(format: "%.2f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
            }
            let wrong = all.count { $0.first != nil && !$0.isRightReference }
            let misplaced = all.count { $0.first != nil && $0.isRightReference && !$0.isRight }
            let cpu = all.reduce(0) { $0 + $1.cpu } / Double(all.count)
            print(
                condition,
                all.count,
                all.count { $0.first != nil },
                wrong,
                misplaced,
                all.count { $0.first != nil && !$0.endsRight },
                at(named, 0.5),
                at(named, 0.95),
                times.count,
                at(times, 0.5),
                at(times, 0.95),
                at(errors, 0.5),
                at(errors, 0.99),
                String(format: "%.3f", cpu)
            )
        }
        let shares = outcomes.mapValues { $0.reduce(0) { $0 + $1.cpu } / Double($0.count) }
        var limits = Limits()
        limits.hold(requirements("R-CC-047"), "share of a core", shares.values.max() ?? .infinity, atMost: 0.1)
        try limits.finish()
    }

    static func feed(
        _ recording: Recording,
        to catalog: Catalog,
        truth: String?,
        offset: Double,
        audio: Recording? = nil
    ) async throws -> Outcome {
        let clock = Feed.Clock()
        let kept = MediaTime(value: audio == nil ? 0 : 8, timescale: 1)
        let options = MatchSession.Options(repeats: .all, clock: clock.clock, keptAudio: kept)
        let session = MatchSession(catalog: catalog, options: options)
        var heard: MatchedMediaItem?
        var outcome = Outcome()
        let cpu = ProcessorTime.now
        for try await event in session.events(from: Feed(recording: recording, clock: clock)) {
            guard case .matched(let match, _) = event, let reference = match.references.first else { continue }
            let now = clock.now.seconds
            let name = URL(fileURLWithPath: reference.id.rawValue).deletingPathExtension().lastPathComponent
            let position = match.mediaItems.first?.predictedCurrentMatchOffset.seconds ?? 0
            let error = position - offset - now
            let isRight = name == truth && abs(error) < 0.5
            if outcome.first == nil {
                outcome.first = now
                outcome.isRight = isRight
                outcome.isRightReference = name == truth
            }
            if name == truth, outcome.named == nil { outcome.named = now }
            if isRight {
                if outcome.right == nil { outcome.right = now }
                outcome.error = error
            }
            outcome.endsRight = isRight
            heard = isRight ? match.mediaItems.first : nil
        }
        if let audio, let heard {
            var reference = RecordingAudio(recording: audio)
            if try await session.refine(heard, in: &reference) != nil {
                outcome.error = heard.predictedCurrentMatchOffset.seconds - offset - clock.now.seconds
            }
        }
        outcome.cpu = (ProcessorTime.now - cpu).processor / recording.seconds
        return outcome
    }
}
