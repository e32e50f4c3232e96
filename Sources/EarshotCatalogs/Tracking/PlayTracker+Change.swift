extension PlayTracker {
    /// A change of the plays in a stream.
    public enum Change: Hashable, Sendable {
        /// A reference is heard. Begin and end are provisional.
        case began(TrackedPlay)
        /// It is still heard, or more is known of its begin.
        case updated(TrackedPlay)
        /// The play has ended; it has no further changes.
        case ended(TrackedPlay)
        /// The play was an error: other audio explains it better. It has no further changes.
        case withdrawn(TrackedPlay)

        /// The play.
        public var play: TrackedPlay {
            switch self {
            case .began(let play), .updated(let play), .ended(let play), .withdrawn(let play): play
            }
        }
    }
}
