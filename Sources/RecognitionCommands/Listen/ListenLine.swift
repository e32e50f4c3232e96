import CommandKit
import Earshot
import Foundation

/// The line that shows what is going on now: level, state, what is heard and where it is, its content and what comes next.
struct ListenLine {
    /// Content of references whose items have none of their own.
    let timelines: [ReferenceID: Timeline]
    private var level = 0.0
    private var item: MatchedMediaItem?
    private var timeline: Timeline?
    private var entries: [String] = []

    init(timelines: [ReferenceID: Timeline] = [:]) {
        self.timelines = timelines
    }

    mutating func take(peak: Double) {
        // Falls by half in some two tenths of a second, so that it can be read.
        level = max(peak, level * 0.85)
    }

    mutating func take(_ event: SessionEvent) {
        guard case .matched(let match, _) = event, let first = match.mediaItems.first else { return }
        item = first
        timeline = (try? first.timeline) ?? timelines[first.match.id]
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
            text += "\(state)  \(DisplayText.name(item.match.id, [item.item]))  "
            text += "\(position.current.label) / \(item.match.referenceDuration.label)"
        } else {
            text += "listening"
        }
        if let entry = entries.last { text += "  > \(entry)" }
        if let position = item?.position, !position.hasEnded, let next = timeline?.next(after: position.current) {
            text += "  in \((next.start - position.current).label): \(next.title)"
        }
        return String(text.prefix(max(10, width - 1)))
    }

    /// Ten places for 60 dB.
    private static func meter(_ peak: Double) -> String {
        let decibels = 20 * log10(max(peak, 1e-6))
        let filled = min(10, max(0, Int((decibels + 60) / 6)))
        return String(repeating: "▮", count: filled) + String(repeating: "▯", count: 10 - filled)
    }
}
