/// A question to a person: which of several candidates is meant. It can be answered once, or cancelled.
///
/// It is a value beside the ``PlayQueue`` and changes nothing of it before it is answered: whoever cancels finds all as it was.
public struct SongChoice: Hashable, Sendable {
    /// Where it stands.
    public enum State: Hashable, Sendable {
        /// It is not answered yet.
        case open
        /// A candidate was chosen.
        case chosen(LibraryCandidate)
        /// Nobody wants to choose any more.
        case cancelled
    }

    /// What can be chosen, the best first.
    public let candidates: [LibraryCandidate]
    /// Where it stands.
    public private(set) var state = State.open

    /// The question that a command leads to; `nil` if there is no need for one.
    public init?(_ resolution: CommandResolution) {
        guard resolution.isAmbiguous else { return nil }
        candidates = resolution.candidates
    }

    /// Chooses a candidate.
    ///
    /// - Parameter place: Its place in ``candidates``. One that is not there, or an answer after the first, changes nothing.
    /// - Returns: What was chosen.
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

    /// Plays what was chosen; while nothing is, and after a cancel, the queue stays as it is.
    ///
    /// - Returns: What happened.
    @discardableResult
    public func play(in queue: inout PlayQueue, _ index: LibraryIndex) -> [QueueEvent] {
        guard case .chosen(let candidate) = state else { return [] }
        return queue.play(candidate, in: index)
    }
}
