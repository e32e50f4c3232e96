/// A question to a person: which of several candidates is meant. It can be answered once, or cancelled.
///
/// It is a value beside the ``PlayQueue`` and does not change it before the choice is made: cancelling has no effect.
public struct SongChoice: Hashable, Sendable {
    /// The state of the choice.
    public enum State: Hashable, Sendable {
        /// It is not answered yet.
        case open
        /// A candidate was chosen.
        case chosen(LibraryCandidate)
        /// Nobody wants to choose any more.
        case cancelled
    }

    /// The candidates, best first.
    public let candidates: [LibraryCandidate]
    /// The state of the choice.
    public private(set) var state = State.open

    /// The question that a command leads to; `nil` if there is no need for one.
    public init?(_ resolution: CommandResolution) {
        guard resolution.isAmbiguous else { return nil }
        candidates = resolution.candidates
    }

    /// Chooses a candidate.
    ///
    /// - Parameter place: Its place in ``candidates``. One that is not there, or an answer after the first, changes nothing.
    /// - Returns: The chosen candidate.
    @discardableResult
    public mutating func choose(_ place: Int) -> LibraryCandidate? {
        guard state == .open, candidates.indices.contains(place) else { return nil }
        state = .chosen(candidates[place])
        return candidates[place]
    }

    /// Gives the question up. After an answer it changes nothing.
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
