/// A choice among several candidates, for the user to make once or to cancel.
///
/// It is a value beside the ``PlayQueue`` and does not change it before the choice is made: canceling has no effect.
public struct SongChoice: Hashable, Sendable {
    /// The state of the choice.
    public enum State: Hashable, Sendable {
        /// The user has not chosen yet.
        case open
        /// A candidate was chosen.
        case chosen(LibraryCandidate)
        /// The choice was canceled.
        case cancelled
    }

    /// The candidates, best first.
    public let candidates: [LibraryCandidate]
    /// The state of the choice.
    public private(set) var state = State.open

    /// Creates the choice that a resolved command needs; `nil` if it is not ambiguous.
    public init?(_ resolution: CommandResolution) {
        guard resolution.isAmbiguous else { return nil }
        candidates = resolution.candidates
    }

    /// Chooses a candidate.
    ///
    /// - Parameter place: Its index in ``candidates``. An invalid index, or a second choice, changes nothing.
    /// - Returns: The chosen candidate.
    @discardableResult
    public mutating func choose(_ place: Int) -> LibraryCandidate? {
        guard state == .open, candidates.indices.contains(place) else { return nil }
        state = .chosen(candidates[place])
        return candidates[place]
    }

    /// Cancels the choice. Has no effect after a candidate was chosen.
    public mutating func cancel() {
        if state == .open { state = .cancelled }
    }

    /// Plays the chosen candidate. Before the choice and after a cancellation the queue is unchanged.
    ///
    /// - Returns: The changes of the queue.
    @discardableResult
    public func play(in queue: inout PlayQueue, _ index: LibraryIndex) -> [QueueEvent] {
        guard case .chosen(let candidate) = state else { return [] }
        return queue.play(candidate, in: index)
    }
}
