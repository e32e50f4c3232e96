extension PlayTracker {
    /// What is new about the plays of a stream.
    public enum Change: Hashable, Sendable {
        /// A reference is heard. Begin and end are provisional.
        case began(TrackedPlay)
        /// It is still heard, or more is known of its begin.
        case updated(TrackedPlay)
        /// It is over; nothing more is said about it.
        case ended(TrackedPlay)
        /// It was taken for something that other audio explains better; nothing more is said about it.
        case withdrawn(TrackedPlay)

        /// The play.
        public var play: TrackedPlay {
            switch self {
            case .began(let play), .updated(let play), .ended(let play), .withdrawn(let play): play
            }
        }
    }
}
