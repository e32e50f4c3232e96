/// The state of a player's position slider: the position it shows during playback, and the position to seek to after a
/// drag.
///
/// A value without a connection to a player. During a drag, positions reported by the player do not move it.
///
/// ```swift
/// slider.update(player.position, of: player.duration)  // several times a second
/// slider.beginDragging()
/// slider.drag(to: 0.25)
/// if let time = slider.endDragging(scale: 44_100) { player.seek(to: time) }
/// ```
package struct PositionSlider: Hashable, Sendable {
    /// The position of the slider: 0 at the beginning, 1 at the end.
    package private(set) var fraction = 0.0
    /// `true` while the user drags the slider.
    package private(set) var isDragging = false
    /// The duration of the recording that plays; indefinite before the first update.
    package private(set) var duration = MediaTime.indefinite

    /// Creates a slider at the beginning of a recording of unknown duration.
    public init() {}

    /// Updates the position from the player. A duration that is zero or not numeric leaves it unchanged.
    ///
    /// - Parameters:
    ///   - position: The player's position, in any timescale.
    ///   - duration: The duration of the recording that plays.
    package mutating func update(_ position: MediaTime, of duration: MediaTime) {
        self.duration = duration
        guard !isDragging, let fraction = position.fraction(of: duration) else { return }
        self.fraction = min(max(fraction, 0), 1)
    }

    /// Starts a drag.
    package mutating func beginDragging() {
        isDragging = true
    }

    /// Moves the slider. Has no effect before ``beginDragging()``.
    ///
    /// - Parameter fraction: The new position, from 0 to 1.
    package mutating func drag(to fraction: Double) {
        guard isDragging, fraction.isFinite else { return }
        self.fraction = min(max(fraction, 0), 1)
    }

    /// Ends a drag, and returns the time to seek to.
    ///
    /// - Parameter scale: The number of units in a second of the result.
    /// - Returns: The time; `nil` if the duration is zero or unknown, or no drag was in progress.
    package mutating func endDragging(scale: Int32) -> MediaTime? {
        guard isDragging else { return nil }
        isDragging = false
        guard duration.isNumeric, duration > .zero else { return nil }
        return duration.scaled(byFraction: fraction).converted(toTimescale: scale)
    }
}
