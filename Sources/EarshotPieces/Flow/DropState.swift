/// The state machine of a drop. Only the transitions listed here can happen.
public struct DropState: Hashable, Sendable {
    /// The phases of a drop.
    public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        /// The draft and the setup are checked.
        case validating
        /// A user must log in.
        case waitingForLogin
        /// The app is providing audio, cover and attachment.
        case rendering
        /// The parts are sent to the service.
        case uploading
        /// The service publishes the piece. The drop can no longer be canceled.
        case finishing
        /// The piece is published.
        case done
        /// An error ended the drop.
        case failed
        /// The user canceled the drop.
        case cancelled

        /// `true` if no phase can follow.
        public var isFinal: Bool { followers.isEmpty }

        /// The phases that can follow.
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

    /// The current phase.
    public private(set) var phase = Phase.validating
    /// `true` if the user has canceled the drop, but it could not end yet.
    public internal(set) var isCancelling = false

    /// Creates the state at the start of a drop.
    public init() {}

    /// Advances to a phase.
    ///
    /// - Returns: `true` if the transition is allowed; otherwise nothing has changed.
    public mutating func advance(to next: Phase) -> Bool {
        guard phase.followers.contains(next) else { return false }
        phase = next
        return true
    }
}
