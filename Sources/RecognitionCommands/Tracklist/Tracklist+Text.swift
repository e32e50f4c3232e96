import CommandKit
import Earshot
import EarshotCatalogs
import EarshotPlots
import Foundation

extension Tracklist {
    /// For a person: begin, end, how sure, and what.
    ///
    /// - Parameter isStyled: `true` if bold and dim text may be used, as on a terminal.
    func text(isStyled: Bool = false) -> String {
        func bold(_ text: String) -> String { isStyled ? Terminal.bold(text) : text }
        func dim(_ text: String) -> String { isStyled ? Terminal.dim(text) : text }
        var lines = [dim("\(recording) (\(PlotText.clock(duration))): \(summary)")]
        for line in self.lines {
            switch line {
            case .play(let entry):
                let sure = "\(Int((entry.play.confidence * 100).rounded(.down))) %"
                let change = entry.change.isEmpty ? "" : "  (\(entry.change))"
                lines.append(
                    "\(Self.times(entry.begin, entry.end))  \(Self.right(sure, 5))  \(bold(Self.onOneLine(entry.name)))\(change)"
                )
                for duplicate in entry.duplicates {
                    lines.append(dim(Self.right("", 29) + "also as \(Self.onOneLine(Entry(play: duplicate).name))"))
                }
            case .unknown(let gap):
                lines.append(dim("\(Self.times(gap.lowerBound, gap.upperBound))  \(Self.right("", 5))  unknown"))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The summary of what was found: `27 plays, 4:12 unknown`.
    var summary: String {
        let plays = DisplayText.plural(entries.count, "play", "plays")
        return unknown.isEmpty ? plays : "\(plays), \(PlotText.clock(unknownSeconds)) unknown"
    }

    private static func times(_ begin: Double, _ end: Double) -> String {
        "\(right(PlotText.clock(begin), 8))  \(right(PlotText.clock(end), 8))"
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension Tracklist.Entry {
    /// The differences of speed and pitch that a listener would notice; empty if there are none.
    var change: String {
        // A changed tempo whose pitch was kept is said so, not as a pitch 0.0 % off.
        if abs(play.speedSkew) >= 0.0025, abs(play.pitchSkew) < 0.0015,
            abs(play.pitchSkew - play.speedSkew) >= 0.004
        {
            return DisplayText.skew(speed: play.speedSkew, pitch: play.speedSkew) + ", pitch kept"
        }
        let words = DisplayText.skew(speed: play.speedSkew, pitch: play.pitchSkew)
        return words == DisplayText.skew(speed: 0, pitch: 0) ? "" : words
    }
}
