import EarshotCatalogs
public import EarshotCore
public import EarshotTimedContent

/// Schedules the timed content of the references that a session matches: a state machine without a clock.
///
/// It uses the content of the first matched item that has some. Without a match the content continues by prediction
/// while the prediction is fresh. A match of another reference replaces it.
public struct TimedContentScheduler: Sendable {
    /// Something that happens to the content of a reference.
    public struct Event: Hashable, Sendable {
        /// The reference.
        public let id: ReferenceID
        /// The event.
        public let event: TimedEvent
    }

    private struct Current: Sendable {
        let id: ReferenceID
        let position: LivePosition
        var player: TimedContentPlayer
    }

    /// The content of references whose items have none of their own.
    public let timelines: [ReferenceID: Timeline]
    /// The settings for following positions.
    public let configuration: TimedContentPlayer.Configuration
    private var current: Current?

    /// A follower that has heard nothing.
    ///
    /// - Parameters:
    ///   - timelines: The content of references whose items have none of their own.
    ///   - configuration: The settings for following positions.
    public init(timelines: [ReferenceID: Timeline] = [:], configuration: TimedContentPlayer.Configuration = .init()) {
        self.timelines = timelines
        self.configuration = configuration
    }

    /// The active entries, lower lanes first.
    public var active: [TimedContentPlayer.ActiveEntry] { current?.player.active ?? [] }
    /// The content that is followed.
    public var timeline: Timeline? { current?.player.timeline }

    /// Takes an event of a session.
    ///
    /// - Parameters:
    ///   - event: A session event. Matches set the content; others only advance the time.
    ///   - now: The time of the session's clock.
    /// - Returns: The content events up to that time, in order.
    public mutating func take(_ event: SessionEvent, now: MediaTime) -> [Event] {
        guard case .matched(let match, _) = event, let (item, timeline) = content(of: match) else {
            return advance(to: now)
        }
        var events: [Event] = []
        if current?.id != item.match.id || current?.position !== item.position {
            // The same reference, lost and found again, keeps what is shown of it.
            if let old = current, old.id == item.match.id, old.player.timeline == timeline {
                current = Current(id: old.id, position: item.position, player: old.player)
            } else {
                events += reset()
                let player = TimedContentPlayer(timeline, configuration: configuration)
                current = Current(id: item.match.id, position: item.position, player: player)
            }
        }
        return events + advance(to: now)
    }

    /// Advances to a time of the session's clock, using the session's current position, and returns the events until
    /// then.
    public mutating func advance(to now: MediaTime) -> [Event] {
        guard var held = current else { return [] }
        let events = held.player.update(position: held.position.prediction, now: now)
        current = held
        return events.map { Event(id: held.id, event: $0) }
    }

    /// The instant of the session's clock at which something will happen, as far as is known.
    public func nextEventTime(after now: MediaTime) -> MediaTime? { current?.player.nextEventTime(after: now) }

    /// Forgets the match, and returns the events that end its active content.
    public mutating func reset() -> [Event] {
        guard var held = current else { return [] }
        current = nil
        return held.player.reset().map { Event(id: held.id, event: $0) }
    }

    private func content(of match: Match) -> (MatchedMediaItem, Timeline)? {
        for item in match.mediaItems {
            // An item whose timed content is damaged counts as having none.
            if let timeline = (try? item.timeline) ?? timelines[item.match.id] { return (item, timeline) }
        }
        return nil
    }
}
