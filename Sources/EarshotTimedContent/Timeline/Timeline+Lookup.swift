public import EarshotCore

extension Timeline {
    /// The active entries at a position: at most one of each lane, lower lanes first.
    ///
    /// Of one lane it is the last entry that begins at or before the position; none before the first has begun, and none
    /// once that entry has ended.
    public func active(at position: MediaTime) -> [TimedEntry] {
        laneIndex.compactMap { lane in activeIndex(in: lane, at: position).map { entries[$0] } }
    }

    /// The active entry of one lane, 0 to 255, at a position; `nil` if there is none.
    public func active(at position: MediaTime, lane: Int) -> TimedEntry? {
        guard let lane = laneIndex.first(where: { $0.number == lane }) else { return nil }
        return activeIndex(in: lane, at: position).map { entries[$0] }
    }

    /// The first entry of any lane that begins after a position.
    public func next(after position: MediaTime) -> TimedEntry? {
        guard position.isNumeric else { return nil }
        let index = entries.count(whileAt: { entries[$0].start <= position })
        return index < entries.count ? entries[index] : nil
    }

    func activeIndex(in lane: TimelineLane, at position: MediaTime) -> Int? {
        guard position.isNumeric else { return nil }
        let begun = lane.entries.count(whileAt: { entries[lane.entries[$0]].start <= position })
        guard begun > 0 else { return nil }
        let index = lane.entries[begun - 1]
        guard let end = entries[index].end, position >= end else { return index }
        return nil
    }
}

extension Array {
    /// The length of the prefix whose elements satisfy a condition on their index.
    func count(whileAt isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
