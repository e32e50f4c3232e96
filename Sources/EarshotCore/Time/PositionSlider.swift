/// The slider of a player: what it shows while sound plays, and where to go when somebody has dragged it.
///
/// A value that knows no player. While it is dragged it follows the hand, and what the player reports does not move it.
///
/// ```swift
/// slider.update(player.position, of: player.duration)  // several times a second
/// slider.beginDragging()
/// slider.drag(to: 0.25)
/// if let time = slider.endDragging(scale: 44_100) { player.seek(to: time) }
/// ```
package struct PositionSlider: Hashable, Sendable {
    /// Where it stands: 0 at the begin, 1 at the end.
    package private(set) var fraction = 0.0
    /// `true` if somebody holds it.
    package private(set) var isDragging = false
    /// How long what plays lasts.
    package private(set) var duration = MediaTime.indefinite

    /// A slider at the begin of something of unknown length.
    public init() {}

    /// Takes over where the player is. A duration of nothing, or none that is known, leaves it where it stands.
    ///
    /// - Parameters:
    ///   - position: Where the player is, in any scale.
    ///   - duration: How long what plays lasts.
    package mutating func update(_ position: MediaTime, of duration: MediaTime) {
        self.duration = duration
        guard !isDragging, let fraction = position.fraction(of: duration) else { return }
        self.fraction = min(max(fraction, 0), 1)
    }

    /// Somebody takes hold of it.
    package mutating func beginDragging() {
        isDragging = true
    }

    /// Somebody moves it; without hold of it nothing moves.
    ///
    /// - Parameter fraction: Where to, from 0 to 1.
    package mutating func drag(to fraction: Double) {
        guard isDragging, fraction.isFinite else { return }
        self.fraction = min(max(fraction, 0), 1)
    }

    /// Somebody lets go.
    ///
    /// - Parameter scale: Units a second of the result.
    /// - Returns: Where to go on; `nil` if the duration is not known or nothing, and when nobody had hold of it.
    package mutating func endDragging(scale: Int32) -> MediaTime? {
        guard isDragging else { return nil }
        isDragging = false
        guard duration.isNumeric, duration > .zero else { return nil }
        return duration.scaled(byFraction: fraction).converted(toTimescale: scale)
    }
}
