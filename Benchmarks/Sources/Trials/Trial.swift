import BenchmarkSupport
import Foundation

/// One query and what came of it.
struct Trial: Sendable {
    var track: String
    var group: String
    var cell: Plan.Cell
    var start: Double
    var noise: String
    var answer: Answer
    /// Whether the best candidate is of the query's own group.
    var isRight: Bool
    /// Reference time at the query's first instant, less the true one, in seconds.
    var offsetError: Double { answer.offset - start }

    static let header = [
        "query", "track", "group", "start", "length", "noise", "noise_file", "reference", "right", "answered", "score",
        "confidence", "offset", "speed", "pitch", "escalated", "votes", "inside", "matched", "evidence",
        "landmarks", "answers",
    ]

    func row(_ number: Int) -> [String] {
        func text(_ value: Double, _ digits: Int = 4) -> String { String(format: "%.\(digits)f", value) }
        return [
            "q\(number)", track, group, text(start), text(cell.length, 0), cell.noise, noise, answer.id ?? "",
            isRight ? "1" : "0", answer.isAnswered ? "1" : "0", text(answer.score), text(answer.confidence),
            text(answer.offset), text(answer.speed, 5), text(answer.pitch, 5),
            answer.isEscalated ? "1" : "0", "\(answer.votes)", "\(answer.inside)", "\(answer.matched)",
            text(answer.evidence), "\(answer.landmarks)", "\(answer.answered.count)",
        ]
    }

    static func write(_ trials: [Trial], to path: String) throws {
        let table = CSVTable(header: header, rows: trials.enumerated().map { $1.row($0 + 1) })
        try table.write(to: URL(fileURLWithPath: path))
    }
}
