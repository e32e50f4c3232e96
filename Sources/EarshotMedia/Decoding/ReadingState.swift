import EarshotCore

/// The state of a reader.
public enum ReadingState: String, Hashable, Sendable, CaseIterable {
    /// The reader is open; nothing has been requested.
    case unknown
    /// Audio is being read.
    case reading
    /// All audio was read.
    case completed
    /// Reading failed.
    case failed
    /// Reading was canceled.
    case cancelled

    /// `true` if the state no longer changes.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }

    /// The state and what led to it: a state machine without a clock or a thread.
    struct Machine: Sendable {
        private(set) var state = ReadingState.unknown
        /// The error in the state ``ReadingState/failed``; `nil` in other states.
        private(set) var error: EarshotError?

        /// Something was asked for.
        mutating func asked() {
            if state == .unknown { state = .reading }
        }

        /// The answer, of which an absent element is the end.
        mutating func answered(hasElement: Bool) {
            if state == .reading, !hasElement { state = .completed }
        }

        /// Reading broke off.
        mutating func broke(_ cause: EarshotError) {
            guard !state.isFinal else { return }
            state = cause.code == .cancelled ? .cancelled : .failed
            if state == .failed { error = cause }
        }

        /// Somebody does not want more; after the end that changes nothing.
        mutating func cancelled() {
            if !state.isFinal { state = .cancelled }
        }
    }
}
