public import EarshotCore

/// The status of a music player.
public struct MusicPlayerStatus: Sendable {
    /// The state of a player.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// An item is being played.
        case playing
        /// An item waits to be resumed.
        case paused
        /// Nothing is played.
        case stopped
    }

    /// The state.
    public var state: State
    /// The current item; `nil` if there is none.
    public var item: MusicItem?
    /// The time of the current item that is being heard; `nil` if there is no current item.
    public var position: MediaTime?
    /// The duration of the current item; `nil` if it is not known.
    public var duration: MediaTime?
    /// The last failure of an item since playback was started; `nil` if there was none.
    public var failure: EarshotError?

    /// A status.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - item: The current item.
    ///   - position: The time of the current item that is being heard.
    ///   - duration: The duration of the current item.
    ///   - failure: The last failure of an item since playback was started.
    public init(
        _ state: State,
        item: MusicItem? = nil,
        position: MediaTime? = nil,
        duration: MediaTime? = nil,
        failure: EarshotError? = nil
    ) {
        self.state = state
        self.item = item
        self.position = position
        self.duration = duration
        self.failure = failure
    }

    /// Returns the position at a distance from the present one, limited to the item; `nil` if there is no position.
    ///
    /// - Parameter distance: The distance; negative for back.
    public func position(movedBy distance: MediaTime) -> MediaTime? {
        guard let position else { return nil }
        let target = max(position + distance, .zero)
        return duration.map { min(target, max($0, .zero)) } ?? target
    }
}
