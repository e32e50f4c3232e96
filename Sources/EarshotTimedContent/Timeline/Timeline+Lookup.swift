public import EarshotCore

extension Timeline {
    /// Returns the active entries at a position: at most one of each lane, lower lanes first.
    ///
    /// The active entry of a lane is the last one that begins at or before the position, unless it has ended.
    public func active(at position: MediaTime) -> [TimedEntry] {
        laneIndex.compactMap { lane in activeIndex(in: lane, at: position).map { entries[$0] } }
    }

    /// Returns the active entry of one lane, 0 to 255, at a position; `nil` if there is none.
    public func active(at position: MediaTime, lane: Int) -> TimedEntry? {
        guard let lane = laneIndex.first(where: { $0.number == lane }) else { return nil }
        return activeIndex(in: lane, at: position).map { entries[$0] }
    }

    /// Returns the first entry of any lane that begins after a position; `nil` if there is none.
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
