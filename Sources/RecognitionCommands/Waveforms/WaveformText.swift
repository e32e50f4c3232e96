import EarshotAnalysis
import EarshotCore
import Foundation

/// A waveform in characters: the level of each run as a bar, an eighth of a line fine.
enum WaveformText {
    private static let eighths = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// - Parameters:
    ///   - waveform: The waveform to draw; its channels are drawn together.
    ///   - width: Characters of a line.
    ///   - height: Lines.
    static func lines(_ waveform: Waveform, width: Int, height: Int) -> [String] {
        let runs = waveform.mono.fitted(to: max(10, min(width, 200))).buckets
        guard !runs.isEmpty else { return [] }
        // Peaks show what there is of quiet music too.
        let bars = runs.map {
            Int((min(1, Double(max(abs($0.minimum), abs($0.maximum)))) * Double(height * 8)).rounded(.up))
        }
        let drawn = (0..<height).reversed().map { line in
            bars.map { eighths[max(0, min(8, $0 - line * 8))] }.joined()
        }
        let end = waveform.duration.label
        let gap = String(repeating: " ", count: max(1, runs.count - 5 - end.count))
        return drawn + ["00:00\(gap)\(end)"]
    }
}
