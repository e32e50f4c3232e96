import ArgumentParser
import CommandKit
import Earshot
import Foundation

struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Run queries with known answers and write what was found, below the threshold too.",
        discussion: """
            The query list is CSV with at least the columns query_id and path; a path counts from the list's own folder. \
            The results have the columns query_id, matched_id, offset_s, score, seconds, speed, pitch, accepted and \
            occurrences. matched_id is the reference's file name without suffix; seconds is the processor time of \
            signature and search, without decoding; speed is a factor, pitch is in semitones. With --candidates, map and bits \
            say how far the query's spectrogram stands above chance at the reference's landmarks and at its bits, in standard \
            deviations, and margin how much further the map stands there than in any other reference.

            EXAMPLE
              earshot evaluate --catalog music.earcat --queries queries/queries.csv -o results.csv
            """
    )

    @OptionGroup var catalog: CatalogOption

    @Option(name: .long, help: "The list of queries.", completion: .file(extensions: ["csv"]))
    var queries: String

    @Option(name: .shortAndLong, help: "Write the results here.", completion: .file(extensions: ["csv"]))
    var output: String

    @Option(
        name: .long,
        help: "Write every candidate that was weighed here, with what speaks for it.",
        completion: .file(extensions: ["csv"])
    )
    var candidates: String?

    @Flag(name: .long, help: "Replace an existing output.")
    var replace = false

    @OptionGroup var format: JSONOption

    @Flag(name: .long, help: "Do not look for changed speed and pitch.")
    var plain = false

    func validate() throws {
        guard let candidates else { return }
        if URL(fileURLWithPath: candidates).standardizedFileURL == URL(fileURLWithPath: output).standardizedFileURL {
            throw ValidationError("--candidates and --output name one file: name two.")
        }
    }

    func run() async throws {
        let destination = URL(fileURLWithPath: output)
        for path in [output, candidates].compactMap(\.self)
        where !replace && FileManager.default.fileExists(atPath: path) {
            throw AtomicFile.exists(URL(fileURLWithPath: path))
        }
        let catalog = try self.catalog.open()
        let list = try QueryList(contentsOf: URL(fileURLWithPath: queries))
        var parameters = MatchingParameters()
        parameters.escalates = !plain
        let bar = ProgressBar(total: list.queries.count)
        var lines = ["query_id,matched_id,offset_s,score,seconds,speed,pitch,accepted,occurrences"]
        var weighed = [Self.candidateColumns]
        var (answered, times) = (0, [Double]())
        for query in list.queries {
            let result: Result
            do {
                result = try await answer(query, in: catalog, parameters)
            } catch let error as EarshotError where error.code != .catalogInvalid {
                // One query that cannot be read does not lose the others.
                Terminal.printError("query \(query.id): \(error.message)")
                result = Result(fields: ["", "", "", "", "", "", "0", ""])
            }
            lines.append(([query.id] + result.fields).map(CSV.field).joined(separator: ","))
            weighed += result.candidates.map { ([query.id] + $0).map(CSV.field).joined(separator: ",") }
            if result.isAccepted { answered += 1 }
            times.append(result.seconds)
            bar.step(audioSeconds: result.audioSeconds)
        }
        bar.finish()
        let text = lines.joined(separator: "\n") + "\n"
        try AtomicFile.write(Array(text.utf8), to: destination, replacing: replace)
        if let candidates {
            let text = weighed.joined(separator: "\n") + "\n"
            try AtomicFile.write(Array(text.utf8), to: URL(fileURLWithPath: candidates), replacing: replace)
        }
        let median = times.sorted()[times.count / 2] * 1000
        if format.json {
            let members: [String: JSONValue] = [
                "queries": .integer(times.count), "answered": .integer(answered),
                "medianSeconds": .number(median / 1000),
            ]
            Terminal.print(try JSON.document(JSONValue.object(members)))
            return
        }
        Terminal.note(
            "\(times.count) queries, \(answered) answered; median "
                + String(format: "%.1f ms of processor time.", median)
        )
    }

    /// The columns of ``candidates``.
    private static let candidateColumns =
        "query_id,reference_id,offset_s,speed,pitch,score,landmark_score,evidence,inside,matched,tried,votes,map,margin,bits"

    private struct Result {
        var fields: [String]
        /// Rows of ``EvaluateCommand/candidates``, without the query.
        var candidates: [[String]] = []
        var isAccepted = false
        var seconds = 0.0
        var audioSeconds = 0.0
    }

    private func fields(_ placed: Catalog.PlacedCandidate) -> [String] {
        let candidate = placed.candidate
        return [
            stem(placed.id), number(placed.offset), number(placed.speed), number(placed.pitch), number(candidate.score),
            number(candidate.landmarkScore ?? candidate.score), number(candidate.evidence), "\(candidate.inside)",
            "\(candidate.matched)", "\(candidate.tried)", "\(candidate.votes)",
            candidate.contrast.map { number($0.deviations) } ?? "", number(candidate.margin),
            candidate.bitDeviations.map(number) ?? "",
        ]
    }

    private func stem(_ id: ReferenceID) -> String {
        URL(fileURLWithPath: id.rawValue).deletingPathExtension().lastPathComponent
    }

    private func answer(
        _ query: QueryList.Query,
        in catalog: Catalog,
        _ parameters: MatchingParameters
    ) async throws -> Result {
        var blocks: [AudioBlock] = []
        for try await block in try await Clip.reader(query.url) { blocks.append(block) }
        let start = clock()
        func seconds() -> Double { Double(clock() - start) / Double(CLOCKS_PER_SEC) }
        var generator = SignatureGenerator(gaps: .fillWithSilence)
        for block in blocks { try generator.append(block.buffer, at: block.time) }
        let signature = generator.signature()
        var result = Result(fields: [], audioSeconds: signature.duration.seconds)
        // A query that cannot be asked, being silent, short or long, has no answer.
        let limits = catalog.queryLimits
        let canAsk = !signature.isEmpty && limits.minimum <= signature.duration && signature.duration <= limits.maximum
        let found = canAsk ? try catalog.search(signature, parameters: parameters) : nil
        result.seconds = seconds()
        if candidates != nil, let found { result.candidates = try catalog.candidates(of: found).map(fields) }
        guard let best = found?.best else {
            result.fields = ["", "", "", number(result.seconds), "", "", "0", ""]
            return result
        }
        result.isAccepted = found?.accepted.isEmpty == false
        let others = best.occurrences.dropFirst().prefix(5).map { number($0.offset.seconds) }
        result.fields = [
            stem(best.id), number(best.offset.seconds), number(best.score), number(result.seconds),
            number(1 + best.speedSkew), number(12 * log2(1 + best.pitchSkew)), result.isAccepted ? "1" : "0",
            others.joined(separator: ";"),
        ]
        return result
    }

    private func number(_ value: Double) -> String { String(format: "%.6f", value) }
}
