import EarshotCatalogs
import EarshotCore
import EarshotTimedContent

/// A reference that a stream is heard to play, and what was said about it. Times are the stream's, in seconds.
struct Track: Sendable {
    var line: TrackedAlignment
    /// From when on the line holds.
    var since: Double
    /// The end of the last look in which it was heard.
    var heardAt: Double
    /// Whether it is heard now.
    var isHeard = true
    /// Whether it was reported as lost.
    var isLost = false
    /// What a landmark of it says on the average, in nats.
    var rate = 0.0
    /// What the stretch that the line was fitted to says for it, in nats.
    var evidence: Double
    /// When it was last reported.
    var reportedAt = -Double.infinity
    /// When other places were last compared over the whole stretch.
    var comparedAt = -Double.infinity
    /// When it was last weighed while lost.
    var soughtAt = -Double.infinity
    /// A place elsewhere that the last look preferred.
    var rival: TrackedAlignment?
    /// The items that applied when it was last reported, and what was active of their timed content.
    var items: [MediaItem] = []
    var timelines: [Timeline] = []
    var entries: [[String]] = []
    /// What refinement found the landmarks to be off by, in seconds: the echoes of a room make them late.
    var correction = 0.0
    let position: LivePosition

    /// Takes note of what applies at a position.
    ///
    /// - Returns: What of it is new.
    mutating func note(_ items: [MediaItem], at position: MediaTime) -> [MatchChange] {
        let hasNewItems = items != self.items
        if hasNewItems {
            self.items = items
            // An item whose timed content is damaged is delivered all the same.
            timelines = items.compactMap { (try? $0.timeline) ?? nil }
        }
        let active = timelines.map { $0.active(at: position).map(\.id) }
        defer { entries = active }
        return (hasNewItems ? [.items] : []) + (active == entries ? [] : [.entries])
    }

    /// Marks it as not heard since before a break in the audio: its prediction is stale until it is heard again.
    mutating func doubt(untilHeardAfter time: Double) {
        isHeard = false
        since = time
        rival = nil
        // After a step back these moments would lie ahead, and what waits for so long after them would not happen.
        heardAt = min(heardAt, time)
        reportedAt = min(reportedAt, time)
        comparedAt = min(comparedAt, time)
        soughtAt = min(soughtAt, time)
        let old = position.prediction
        position.correct(
            PositionPrediction(
                position: old.position,
                at: old.instant,
                speedSkew: old.speedSkew,
                referenceDuration: old.referenceDuration,
                confirmedAt: old.confirmedAt - PositionPrediction.freshness
            )
        )
    }
}
