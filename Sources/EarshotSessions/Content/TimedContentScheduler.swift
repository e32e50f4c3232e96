import EarshotCatalogs
public import EarshotCore
public import EarshotTimedContent

/// Shows the timed content of what a session hears: a state machine without a clock of its own.
///
/// The content is that of the first matched item that has some. It goes on by prediction while nothing is heard, for as
/// long as that is fresh, and gives way to that of another reference as soon as one is heard.
public struct TimedContentScheduler: Sendable {
    /// Something that happens to the content of a reference.
    public struct Event: Hashable, Sendable {
        /// The reference.
        public let id: ReferenceID
        /// What happens.
        public let event: TimedEvent
    }

    private struct Current: Sendable {
        let id: ReferenceID
        let position: LivePosition
        var player: TimedContentPlayer
    }

    /// Content of references whose items have none of their own.
    public let timelines: [ReferenceID: Timeline]
    /// How positions are followed.
    public let configuration: TimedContentPlayer.Configuration
    private var current: Current?

    /// A follower that has heard nothing.
    ///
    /// - Parameters:
    ///   - timelines: Content of references whose items have none of their own.
    ///   - configuration: How positions are followed.
    public init(timelines: [ReferenceID: Timeline] = [:], configuration: TimedContentPlayer.Configuration = .init()) {
        self.timelines = timelines
        self.configuration = configuration
    }

    /// What is active now, lower lanes first.
    public var active: [TimedContentPlayer.ActiveEntry] { current?.player.active ?? [] }
    /// The content that is followed.
    public var timeline: Timeline? { current?.player.timeline }

    /// Takes an event of a session.
    ///
    /// - Parameters:
    ///   - event: Matches say what is heard; others only let the time go on.
    ///   - now: The time of the session's clock.
    /// - Returns: What happens up to that time, in order.
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

    /// What happens up to a time of the session's clock, by the position as the session knows it now.
    public mutating func advance(to now: MediaTime) -> [Event] {
        guard var held = current else { return [] }
        let events = held.player.update(position: held.position.prediction, now: now)
        current = held
        return events.map { Event(id: held.id, event: $0) }
    }

    /// The instant of the session's clock at which something will happen, as far as is known.
    public func nextEventTime(after now: MediaTime) -> MediaTime? { current?.player.nextEventTime(after: now) }

    /// Forgets what was heard, and leaves everything.
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
