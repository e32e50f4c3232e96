import EarshotCatalogs
import EarshotCore
import EarshotTimedContent

/// A reference that a stream is heard to play, and what was reported about it. Times are the stream's, in seconds.
struct TrackedReference: Sendable {
    /// The alignment of the stream with the reference.
    var alignment: AlignmentTrack
    /// The time of the last report.
    var reportedAt = -Double.infinity
    /// The items that applied when it was last reported, and what was active of their timed content.
    var items: [MediaItem] = []
    var timelines: [Timeline] = []
    var entries: [[String]] = []
    /// The error of the landmarks found by refinement, in seconds: the echoes of a room delay them.
    var correction = 0.0
    let position: LivePosition

    init(_ alignment: AlignmentTrack, position: LivePosition) {
        (self.alignment, self.position) = (alignment, position)
    }

    /// Takes note of what applies at a position.
    ///
    /// - Returns: The changes.
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
        alignment.doubt(untilHeardAfter: time)
        // After a step back this moment would lie ahead, and what waits for so long after it would not happen.
        reportedAt = min(reportedAt, time)
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
