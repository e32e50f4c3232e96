import EarshotCore

/// The positions at which anything happens in a timeline, and what is visible between them.
struct TimelinePlan: Sendable {
    /// The visible state of one lane.
    struct LaneState: Hashable, Sendable {
        /// The active entry, by its place in the timeline.
        var entry: Int?
        /// The number of visible parts.
        var shownParts = 0
        /// `true` if it takes an answer.
        var isAnswerOpen = false
    }

    /// A position at which a lane may change.
    struct Boundary: Sendable {
        let position: MediaTime
        /// The lane, by its place in the timeline's index.
        let lane: Int
    }

    let timeline: Timeline
    /// The time before its start at which an entry is announced.
    let lookAhead: MediaTime?
    let boundaries: [Boundary]
    /// The entries that will be active, ascending by start: those that are announced.
    let announced: [Int]

    init(_ timeline: Timeline, lookAhead: MediaTime?) {
        self.timeline = timeline
        self.lookAhead = lookAhead
        var boundaries: [Boundary] = []
        var announced: [Int] = []
        for (laneIndex, lane) in timeline.laneIndex.enumerated() {
            for (place, index) in lane.entries.enumerated() {
                let entry = timeline.entries[index]
                let next = place + 1 < lane.entries.count ? timeline.entries[lane.entries[place + 1]].start : nil
                let stop = [entry.end, next].compactMap { $0 }.min() ?? .positiveInfinity
                // One that begins together with the next of its lane is never active.
                guard stop > entry.start else { continue }
                announced.append(index)
                var positions = [entry.start] + entry.parts.map(\.start)
                if let end = entry.end { positions.append(end) }
                if entry.requiresAnswer, let range = entry.answerRange {
                    positions += [range.lowerBound, range.upperBound]
                }
                for position in positions where position <= stop {
                    boundaries.append(Boundary(position: position, lane: laneIndex))
                }
            }
        }
        self.boundaries = boundaries.sorted { ($0.position, $0.lane) < ($1.position, $1.lane) }
        self.announced = lookAhead == nil ? [] : announced.sorted()
    }

    /// The visible state of a lane at a position.
    func state(ofLane lane: Int, at position: MediaTime) -> LaneState {
        guard let index = timeline.activeIndex(in: timeline.laneIndex[lane], at: position) else { return LaneState() }
        let entry = timeline.entries[index]
        return LaneState(
            entry: index,
            shownParts: entry.parts.count(whileAt: { entry.parts[$0].start <= position }),
            isAnswerOpen: entry.requiresAnswer && entry.acceptsAnswer(at: position)
        )
    }

    /// The first boundary behind a position.
    func firstBoundary(after position: MediaTime) -> Int {
        boundaries.count(whileAt: { boundaries[$0].position <= position })
    }

    /// The entries that begin behind a position and at most the look-ahead later, as places in ``announced``.
    func upcoming(at position: MediaTime) -> Range<Int> {
        guard let lookAhead else { return 0..<0 }
        let first = announced.count(whileAt: { timeline.entries[announced[$0]].start <= position })
        let limit = position + lookAhead
        let end = announced.count(whileAt: { timeline.entries[announced[$0]].start <= limit })
        return first..<max(first, end)
    }

    /// The next position at which anything happens.
    func nextPosition(after position: MediaTime) -> MediaTime? {
        let boundary = firstBoundary(after: position)
        var next = boundary < boundaries.count ? boundaries[boundary].position : nil
        if let lookAhead {
            let announcement = upcoming(at: position).upperBound
            if announcement < announced.count {
                let position = timeline.entries[announced[announcement]].start - lookAhead
                next = min(next ?? position, position)
            }
        }
        return next
    }
}
