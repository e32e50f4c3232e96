public import EarshotCore

/// A warning about an entry of a timeline that is valid but probably wrong.
public struct TimelineWarning: Hashable, Sendable {
    /// The identifier of the entry.
    public let entryID: String
    /// The warning as a sentence for people.
    public let message: String
}

extension Timeline {
    /// Returns warnings about probable mistakes: entries and parts that are never shown, and times beyond the end of
    /// the reference.
    ///
    /// - Parameter duration: The duration of the reference; `nil` to omit that check.
    public func warnings(duration: MediaTime? = nil) -> [TimelineWarning] {
        var warnings: [(index: Int, warning: TimelineWarning)] = []
        for lane in laneIndex {
            for (place, index) in lane.entries.enumerated() {
                let next = place + 1 < lane.entries.count ? entries[lane.entries[place + 1]] : nil
                let entry = entries[index]
                for message in Self.warnings(about: entry, next: next, duration: duration) {
                    warnings.append((index, TimelineWarning(entryID: entry.id, message: message)))
                }
            }
        }
        return warnings.sorted { $0.index < $1.index }.map(\.warning)
    }

    private static func warnings(about entry: TimedEntry, next: TimedEntry?, duration: MediaTime?) -> [String] {
        let name = "The entry \"\(entry.id)\""
        var messages: [String] = []
        if let duration, duration.isNumeric {
            let end = TimeText.string(duration)
            if entry.start >= duration {
                messages.append("\(name) begins at \(TimeText.string(entry.start)), and the reference ends at \(end).")
            } else if let last = entry.end, last > duration {
                messages.append("\(name) ends at \(TimeText.string(last)), and the reference ends at \(end).")
            }
        }
        guard let next else { return messages }
        if next.start == entry.start {
            return messages + ["\(name) is never shown: \"\(next.id)\" begins with it in the same lane."]
        }
        let following = "after \"\(next.id)\" has begun in the same lane"
        for part in entry.parts where part.start >= next.start {
            messages.append(
                "The part \"\(part.id)\" of the entry \"\(entry.id)\" is never shown: it begins \(following)."
            )
        }
        if let range = entry.answerRange, range.upperBound > next.start {
            messages.append("\(name) takes answers \(following).")
        }
        return messages
    }
}
