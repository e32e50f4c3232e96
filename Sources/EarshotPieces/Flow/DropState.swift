/// The state machine of a drop. Only the transitions listed here can happen.
public struct DropState: Hashable, Sendable {
    /// The steps of a drop.
    public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        /// The draft and the set-up are looked at.
        case validating
        /// A user has to log in.
        case waitingForLogin
        /// The app is providing audio, cover and attachment.
        case rendering
        /// They go to the service.
        case uploading
        /// The service publishes the piece. It can no longer be cancelled.
        case finishing
        /// The piece is published.
        case done
        /// It is not, and an error says why.
        case failed
        /// Its user did not want it after all.
        case cancelled

        /// `true` if the state is final.
        public var isFinal: Bool { followers.isEmpty }

        /// The phases that may follow.
        public var followers: [Phase] {
            switch self {
            case .validating: [.waitingForLogin, .rendering, .failed]
            case .waitingForLogin: [.rendering, .cancelled, .failed]
            case .rendering: [.uploading, .failed, .cancelled]
            case .uploading: [.finishing, .failed, .cancelled]
            case .finishing: [.done, .failed]
            case .done, .failed, .cancelled: []
            }
        }
    }

    /// The step.
    public private(set) var phase = Phase.validating
    /// `true` if its user wants no more of it, and it could not end yet.
    public internal(set) var isCancelling = false

    /// A drop that begins.
    public init() {}

    /// Goes on to a phase.
    ///
    /// - Returns: `true` if that was possible; otherwise nothing has changed.
    public mutating func advance(to next: Phase) -> Bool {
        guard phase.followers.contains(next) else { return false }
        phase = next
        return true
    }
}
