public import EarshotCatalogs
public import EarshotCore

/// Determines the events of a timeline while its reference plays: a state machine without a clock or a task of its own.
///
/// Pass it predictions as matches arrive, and the current time; it returns events. Between matches, events follow from
/// the prediction and its speed while the prediction is fresh. A stale prediction stops the player, and active entries
/// stay active. The events of an interval and their order do not depend on how often they are requested, except that
/// announcements of entries that have already begun are left out.
public struct TimedContentPlayer: Sendable {
    /// The settings for following positions.
    public struct Configuration: Hashable, Sendable {
        /// The tolerance of a position, to either side. Positions within it hide no entry and show none again. Two
        /// positions can therefore differ by twice as much; if the new one is earlier, the player pauses for the
        /// difference.
        public var hysteresis: MediaTime
        /// The largest forward correction that does not count as a jump. After a jump, skipped entries are not shown.
        public var jumpThreshold: MediaTime
        /// The time before its start, in time of the reference, at which an entry is announced by
        /// ``TimedEvent/upcoming(_:in:)``; `nil` for no announcements.
        public var lookAhead: MediaTime?

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - hysteresis: The tolerance of a position, to either side. Default: 50 ms. Negative values count as zero.
        ///   - jumpThreshold: The largest forward correction that does not count as a jump. Default: 1 s.
        ///   - lookAhead: The time before its start at which an entry is announced; `nil` for no announcements.
        public init(
            hysteresis: MediaTime = MediaTime(value: 50, timescale: 1000),
            jumpThreshold: MediaTime = MediaTime(value: 1, timescale: 1),
            lookAhead: MediaTime? = nil
        ) {
            self.hysteresis = max(.zero, hysteresis)
            self.jumpThreshold = jumpThreshold
            self.lookAhead = lookAhead.map { max(.zero, $0) }
        }
    }

    /// An active entry and its visible parts.
    public struct ActiveEntry: Hashable, Sendable {
        /// The entry that is active.
        public let entry: TimedEntry
        /// The parts of the entry that have appeared.
        public let shownParts: [TimedPart]
        /// `true` if the entry requires an answer and accepts it now.
        public let isAnswerOpen: Bool
    }

    /// The timeline whose events are determined.
    public let timeline: Timeline
    /// The settings for following positions.
    public let configuration: Configuration
    /// The position in the reference up to which events were returned; `nil` if the playback position is not known.
    public private(set) var position: MediaTime?

    private let plan: TimelinePlan
    private var prediction: PositionPrediction?
    private var lanes: [TimelinePlan.LaneState]
    private var now = MediaTime.negativeInfinity

    /// Creates a player of a timeline, without a position or active entries.
    ///
    /// - Parameters:
    ///   - timeline: The timeline.
    ///   - configuration: The settings for following positions.
    public init(_ timeline: Timeline, configuration: Configuration = Configuration()) {
        self.timeline = timeline
        self.configuration = configuration
        plan = TimelinePlan(timeline, lookAhead: configuration.lookAhead)
        lanes = Array(repeating: .init(), count: timeline.laneIndex.count)
    }

    /// The active entries at the current position, lower lanes first.
    public var active: [ActiveEntry] {
        lanes.compactMap { lane in
            guard let index = lane.entry else { return nil }
            let entry = timeline.entries[index]
            return ActiveEntry(
                entry: entry,
                shownParts: Array(entry.parts.prefix(lane.shownParts)),
                isAnswerOpen: lane.isAnswerOpen
            )
        }
    }

    // MARK: - Input

    /// Updates the playback position from a match.
    ///
    /// First returns the events of the previous prediction up to now. After a small correction, events continue from
    /// there. A correction forward by more than the threshold, or back by more than twice the hysteresis, is a jump:
    /// skipped entries are not shown, entries at the new position are, and entries that are no longer active end.
    ///
    /// - Parameters:
    ///   - prediction: The prediction of the playback position; `nil` if the match was lost, which ends all entries.
    ///   - now: The current time of the clock that the prediction refers to.
    /// - Returns: The events until now, in order.
    public mutating func update(position prediction: PositionPrediction?, now: MediaTime) -> [TimedEvent] {
        var events = advance(to: now)
        guard let prediction else { return events + reset() }
        self.prediction = prediction
        guard let target = reached(at: self.now) else { return events }
        if let position {
            let correction = target - position
            if correction > configuration.jumpThreshold || correction < -(configuration.hysteresis * 2) {
                events += jump(to: target)
            } else if correction > .zero {
                events += move(to: target)
            }
        } else {
            events += jump(to: target)
        }
        return events
    }

    /// Advances to a time of the predictions' clock, and returns the events until then. An earlier time than the last
    /// one counts as that one.
    public mutating func advance(to now: MediaTime) -> [TimedEvent] {
        guard now.isNumeric else { return [] }
        self.now = max(self.now, now)
        guard let target = reached(at: self.now), let position, target > position else { return [] }
        return move(to: target)
    }

    /// Removes the playback position, ends all entries and returns those events, as an update with `nil` does.
    public mutating func reset() -> [TimedEvent] {
        prediction = nil
        position = nil
        let old = lanes
        lanes = Array(repeating: .init(), count: lanes.count)
        return zip(old, lanes).flatMap { endings(from: $0, to: $1) }
    }

    /// Returns the clock time of the next event, at or after the given time.
    ///
    /// - Returns: The time; `nil` if there are no more events before the reference ends or the prediction becomes
    ///   stale.
    public func nextEventTime(after now: MediaTime) -> MediaTime? {
        guard let prediction, let position, prediction.speedSkew > -1, now.isNumeric,
            let next = plan.nextPosition(after: position), next <= prediction.referenceDuration
        else { return nil }
        var instant = prediction.instant(of: next)
        guard instant.isNumeric else { return nil }
        // Rounded to microseconds, the instant may lie just before the position is reached.
        for _ in 0..<4 where prediction.position(at: instant) < next {
            instant += MediaTime(value: 1, timescale: 1_000_000)
        }
        guard prediction.position(at: instant) >= next, instant <= Self.limit(of: prediction) else { return nil }
        return max(instant, now)
    }

    /// Returns the time until which a prediction is followed.
    private static func limit(of prediction: PositionPrediction) -> MediaTime {
        prediction.confirmedAt + PositionPrediction.freshness
    }

    /// The playback position, as far as the prediction reaches; never beyond the reference's end.
    private func reached(at now: MediaTime) -> MediaTime? {
        guard let prediction, now.isNumeric else { return nil }
        let position = prediction.position(at: min(now, Self.limit(of: prediction)))
        return position.isNumeric ? position : nil
    }

    // MARK: - Events

    /// Goes on to a later position through everything on the way.
    private mutating func move(to target: MediaTime) -> [TimedEvent] {
        guard let start = position else { return jump(to: target) }
        var events: [TimedEvent] = []
        var announcement = plan.upcoming(at: start).upperBound
        let lastAnnouncement = plan.upcoming(at: target).upperBound
        var boundary = plan.firstBoundary(after: start)
        while boundary < plan.boundaries.count, plan.boundaries[boundary].position <= target {
            let here = plan.boundaries[boundary].position
            let due = plan.upcoming(at: here).upperBound
            events += announcements(announcement..<max(announcement, due), at: target)
            announcement = max(announcement, due)
            var (ended, begun): ([TimedEvent], [TimedEvent]) = ([], [])
            while boundary < plan.boundaries.count, plan.boundaries[boundary].position == here {
                let lane = plan.boundaries[boundary].lane
                let new = plan.state(ofLane: lane, at: here)
                ended += endings(from: lanes[lane], to: new)
                begun += beginnings(from: lanes[lane], to: new)
                lanes[lane] = new
                boundary += 1
            }
            events += ended + begun
        }
        events += announcements(announcement..<max(announcement, lastAnnouncement), at: target)
        position = target
        return events
    }

    /// Puts what is visible at a position in place of what was.
    private mutating func jump(to target: MediaTime) -> [TimedEvent] {
        let announced = position.map { plan.upcoming(at: $0) } ?? 0..<0
        let old = lanes
        lanes = lanes.indices.map { plan.state(ofLane: $0, at: target) }
        position = target
        let upcoming = plan.upcoming(at: target)
        return zip(old, lanes).flatMap { endings(from: $0, to: $1) }
            + zip(old, lanes).flatMap { beginnings(from: $0, to: $1) }
            + upcoming.filter { !announced.contains($0) }.flatMap { announcements($0..<$0 + 1, at: target) }
    }

    private func endings(from old: TimelinePlan.LaneState, to new: TimelinePlan.LaneState) -> [TimedEvent] {
        guard let index = old.entry else { return [] }
        let entry = timeline.entries[index]
        let isLeft = old.entry != new.entry
        var events: [TimedEvent] = []
        if old.isAnswerOpen, isLeft || !new.isAnswerOpen { events.append(.answerClosed(entry)) }
        if isLeft { events.append(.left(entry)) }
        return events
    }

    private func beginnings(from old: TimelinePlan.LaneState, to new: TimelinePlan.LaneState) -> [TimedEvent] {
        guard let index = new.entry else { return [] }
        let entry = timeline.entries[index]
        let isNew = old.entry != new.entry
        var events: [TimedEvent] = isNew ? [.entered(entry)] : []
        let shown = isNew ? 0 : old.shownParts
        for part in entry.parts.prefix(new.shownParts).dropFirst(shown) { events.append(.partShown(entry, part)) }
        if new.isAnswerOpen, isNew || !old.isAnswerOpen { events.append(.answerOpened(entry)) }
        return events
    }

    /// Announces entries that have not begun yet when the position is reached.
    private func announcements(_ places: Range<Int>, at position: MediaTime) -> [TimedEvent] {
        places.compactMap { place in
            let entry = timeline.entries[plan.announced[place]]
            let remaining = entry.start - position
            guard remaining > .zero else { return nil }
            let speed = 1 + (prediction?.speedSkew ?? 0)
            return .upcoming(entry, in: remaining.scaled(byFraction: 1 / speed))
        }
    }
}
