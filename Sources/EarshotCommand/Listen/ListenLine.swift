import Earshot
import Foundation

/// The line that shows what is going on now: level, state, what is heard and where it is.
struct ListenLine {
    private var level = 0.0
    private var item: MatchedMediaItem?
    private var entries: [String] = []

    mutating func take(peak: Double) {
        // Falls by half in some two tenths of a second, so that it can be read.
        level = max(peak, level * 0.85)
    }

    mutating func take(_ event: SessionEvent) {
        if case .matched(let match, _) = event { item = match.mediaItems.first }
    }

    mutating func take(_ event: TimedEvent) {
        switch event {
        case .entered(let entry): entries.append(entry.title)
        case .left(let entry):
            if let index = entries.firstIndex(of: entry.title) { entries.remove(at: index) }
        default: break
        }
    }

    /// The line, no wider than a terminal.
    func text(width: Int) -> String {
        var text = Self.meter(level) + "  "
        if let item {
            let position = item.position
            let state = position.hasEnded ? "over" : position.isStale ? "not heard" : "heard"
            text += "\(state)  \(Wording.name(item.match.id, [item.item]))  "
            text += "\(position.current.label) / \(item.match.referenceDuration.label)"
        } else {
            text += "listening"
        }
        if let entry = entries.last { text += "  \(entry)" }
        return String(text.prefix(max(10, width - 1)))
    }

    /// Ten places for 60 dB.
    private static func meter(_ peak: Double) -> String {
        let decibels = 20 * log10(max(peak, 1e-6))
        let filled = min(10, max(0, Int((decibels + 60) / 6)))
        return String(repeating: "▮", count: filled) + String(repeating: "▯", count: 10 - filled)
    }
}
