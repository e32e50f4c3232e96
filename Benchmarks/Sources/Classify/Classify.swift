import EarshotClassification
import EarshotCore
import EarshotMedia
import Foundation

/// What the classifier of a monitor sees and says, for fitting and measuring it.
@main
struct Classify {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 3, let word = arguments.first else {
            print("usage: classify figures|windows|places|stream FOLDER OUT")
            exit(2)
        }
        let folder = URL(fileURLWithPath: arguments[arguments.startIndex + 1])
        let out = URL(fileURLWithPath: arguments[arguments.startIndex + 2])
        switch word {
        case "figures": try figures(folder, out, training: true)
        case "windows": try figures(folder, out, training: false)
        case "places": try places(folder, out)
        case "stream": try stream(folder, out)
        default: exit(2)
        }
    }

    /// Writes a line of CSV for each place that the detector of transitions weighs: file, seconds, score, figures.
    static func places(_ folder: URL, _ out: URL) throws {
        var lines = ""
        for row in try manifest(folder) {
            var detector = TransitionCandidates()
            try buffers(folder.appendingPathComponent(row[0])) { buffer in
                for place in detector.append(buffer) {
                    let figures = place.figures.map { String($0) }.joined(separator: ",")
                    lines += "\(row[0]),\(place.seconds),\(place.score),\(figures)\n"
                }
            }
        }
        try Data(lines.utf8).write(to: out)
    }

    /// Writes what a monitor hears: file, what, seconds, kind or score; and prints what that cost.
    static func stream(_ folder: URL, _ out: URL) throws {
        var lines = ""
        var (heard, spent) = (0.0, 0.0)
        for row in try manifest(folder) {
            var analyzer = StreamAnalyzer()
            try buffers(folder.appendingPathComponent(row[0])) { buffer in
                let start = clock()
                let observations = analyzer.append(buffer)
                spent += Double(clock() - start) / Double(CLOCKS_PER_SEC)
                heard += buffer.duration.seconds
                for observation in observations {
                    switch observation.content {
                    case .classification(let found):
                        let seconds = observation.time.seconds
                        lines += "\(row[0]),kind,\(seconds),\(found.kind.rawValue),\(found.confidence)\n"
                    case .transition(let score, let instant):
                        lines += "\(row[0]),transition,\(instant.seconds),\(score),\(observation.time.seconds)\n"
                    default: break
                    }
                }
            }
        }
        try Data(lines.utf8).write(to: out)
        print("\(heard) s of audio, \(spent) s of processor time, \(spent / heard * 100) % of one core")
    }

    /// The rows of a manifest: file, class, package, voice, variant, split.
    static func manifest(_ folder: URL) throws -> [[String]] {
        let text = try String(contentsOf: folder.appendingPathComponent("manifest.csv"), encoding: .utf8)
        return text.split(whereSeparator: \.isNewline).dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    static func buffers(_ url: URL, _ body: (AudioBuffer) throws -> Void) throws {
        let decoder = try AudioDecoder(url)
        while let block = try decoder.next() { try body(block.buffer) }
    }

    /// Writes OUT.f32, a row of figures and probabilities for each window, and OUT.csv, a line for each.
    static func figures(_ folder: URL, _ out: URL, training: Bool) throws {
        var (numbers, lines) = (Data(), "row,second,rows\n")
        for (index, row) in try manifest(folder).enumerated() {
            var windows = ClassifierWindows()
            try buffers(folder.appendingPathComponent(row[0])) { buffer in
                // Parts of windows occur where sound begins.
                let found = windows.append(buffer) { second in
                    training && row.last == "train" ? [186, 75 + (second * 37 + index * 11) % 111] : [186]
                }
                for window in found {
                    let all = window.figures + window.probabilities.map(Float.init)
                    all.withUnsafeBytes { numbers.append(contentsOf: $0) }
                    lines += "\(index),\(window.second),\(window.figures.count)\n"
                }
            }
        }
        try numbers.write(to: out.appendingPathExtension("f32"))
        try Data(lines.utf8).write(to: out.appendingPathExtension("csv"))
    }
}
