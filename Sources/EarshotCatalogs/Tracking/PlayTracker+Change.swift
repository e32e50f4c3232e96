extension PlayTracker {
    /// A change in the plays of a stream.
    public enum Change: Hashable, Sendable {
        /// A reference is heard. Its start and end are provisional.
        case began(TrackedPlay)
        /// It is still heard, or its values were refined.
        case updated(TrackedPlay)
        /// The play has ended. There are no further changes of it.
        case ended(TrackedPlay)
        /// The play was wrong: other audio explains it better. There are no further changes of it.
        case withdrawn(TrackedPlay)

        /// The play.
        public var play: TrackedPlay {
            switch self {
            case .began(let play), .updated(let play), .ended(let play), .withdrawn(let play): play
            }
        }
    }
}
