import EarshotCore
import Foundation

extension Tracklist {
    /// Returns a table of comma-separated values with a header line; times are in seconds.
    ///
    /// - Parameter isInert: `true` to escape names that a spreadsheet would take for a formula.
    package func table(isInert: Bool = false) -> String {
        func row(_ kind: String, _ play: Play) -> [String] {
            let fields = Self.row(kind, play)
            return isInert ? fields.map { Double($0) == nil ? CSV.inert($0) : $0 } : fields
        }
        var rows = [
            [
                "kind", "begin", "end", "id", "title", "artist", "album", "confidence", "score", "offset",
                "referenceBegin", "referenceEnd", "speedSkew", "pitchSkew", "duplicateOf",
            ]
        ]
        for line in lines {
            switch line {
            case .play(let entry):
                rows.append(row("play", entry.play))
                rows += entry.duplicates.map { row("duplicate", $0) }
            case .unknown(let gap):
                rows.append(
                    ["unknown", Self.number(gap.lowerBound), Self.number(gap.upperBound)]
                        + [String](repeating: "", count: 12)
                )
            }
        }
        return rows.map { $0.map(CSV.field).joined(separator: ",") }.joined(separator: "\n") + "\n"
    }

    private static func row(_ kind: String, _ play: Play) -> [String] {
        let item = play.items.first
        return [
            kind, number(play.queryRange.lowerBound.seconds), number(play.queryRange.upperBound.seconds),
            play.id.rawValue, item?.title ?? "", item?.artist ?? "", item?.album ?? "", number(play.confidence),
            number(play.score), number(play.offset.seconds), number(play.referenceRange.lowerBound.seconds),
            number(play.referenceRange.upperBound.seconds), number(play.speedSkew), number(play.pitchSkew),
            play.duplicateOf?.rawValue ?? "",
        ]
    }

    /// Formats a number with up to five decimals.
    package static func number(_ value: Double) -> String {
        var text = String(format: "%.5f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}
