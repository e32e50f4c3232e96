import Foundation

/// The schedule of one channel, with missing ends computed, shared slots divided, and overlaps removed.
struct XMLTVSchedule {
    typealias Entry = XMLTVCollection.Entry

    /// An entry with its times.
    struct Place {
        let entry: Entry
        let start: Date
        let end: Date
    }

    /// The longest time to the next program that is used as the duration of a program without an end, in seconds. A
    /// longer time is a gap in the guide.
    static let longestGuess = 86_400.0

    private(set) var places: [Place] = []
    private(set) var notes: [(line: Int, reason: String)] = []

    init(_ entries: [Entry], _ defaultDuration: Double) {
        // The order of the file decides between equal starts.
        let sorted = entries.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        var groups: [[Entry]] = []
        for entry in sorted.map(\.element) {
            if groups.last?.first?.start == entry.start {
                groups[groups.count - 1].append(entry)
            } else {
                groups.append([entry])
            }
        }
        let units = groups.map { unit($0) }
        for (index, unit) in units.enumerated() {
            guard let first = unit.first else { continue }
            let next = index + 1 < units.count ? units[index + 1].first : nil
            place(unit, end: end(first, unit.lazy.compactMap(\.stop).max(), next, defaultDuration))
        }
    }

    /// Returns the valid ones of the entries that begin at the same time: one entry, or the parts of one slot.
    private mutating func unit(_ group: [Entry]) -> [Entry] {
        guard group.count > 1 else { return group }
        var parts: [Int: Entry] = [:]
        for entry in group {
            guard let clump = entry.clump else { continue }
            if let earlier = parts[clump.index] { replaced(earlier, by: entry) }
            parts[clump.index] = entry
        }
        if !parts.isEmpty {
            for entry in group where entry.clump == nil {
                notes.append((entry.line, "a programme begins with others that share a slot, and is passed over."))
            }
            return parts.sorted { $0.key < $1.key }.map(\.value)
        }
        var last = group[0]
        for entry in group.dropFirst() {
            replaced(last, by: entry)
            last = entry
        }
        return [last]
    }

    private mutating func replaced(_ earlier: Entry, by later: Entry) {
        let isSame = earlier.program == later.program && earlier.stop == later.stop
        notes.append(
            isSame
                ? (later.line, "a programme is there twice, as on line \(earlier.line) already.")
                : (earlier.line, "a programme is replaced by the one on line \(later.line), which begins with it.")
        )
    }

    private mutating func end(_ entry: Entry, _ stop: Date?, _ next: Entry?, _ defaultDuration: Double) -> Date {
        let guess = entry.start.addingTimeInterval(entry.length ?? defaultDuration)
        guard let next else { return stop ?? guess }
        if let stop {
            guard stop > next.start else { return stop }
            notes.append(
                (entry.line, "a programme is cut by the one on line \(next.line), which begins before it ends.")
            )
            return next.start
        }
        let isNear = next.start.timeIntervalSince(entry.start) <= Self.longestGuess
        return isNear ? next.start : min(guess, next.start)
    }

    /// Adds entries with their times. The parts of a slot get equal shares of it.
    private mutating func place(_ unit: [Entry], end: Date) {
        let count = unit.count > 1 ? unit.compactMap { $0.clump?.count }.max() ?? 1 : 1
        for entry in unit {
            let index = unit.count > 1 ? entry.clump?.index ?? 0 : 0
            let length = end.timeIntervalSince(entry.start)
            let start = entry.start.addingTimeInterval(length * Double(index) / Double(count))
            let share = entry.start.addingTimeInterval(length * Double(index + 1) / Double(count))
            places.append(Place(entry: entry, start: start, end: index + 1 == count ? end : share))
        }
    }
}
