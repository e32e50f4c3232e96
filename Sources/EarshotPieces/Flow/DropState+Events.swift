extension DropState {
    /// An event of a drop.
    public enum Event: Hashable, Sendable {
        /// The draft and the setup are valid.
        ///
        /// - Parameter needsLogin: `true` if no user has logged in.
        case validated(needsLogin: Bool)
        /// A user has logged in.
        case loggedIn
        /// The app has provided all parts.
        case rendered
        /// The service has all parts.
        case uploaded
        /// The service has published the piece.
        case published
        /// An error occurred.
        case failed
        /// The user canceled the drop.
        case cancelled
    }

    /// The next step of a drop.
    public enum Step: Hashable, Sendable {
        /// Do nothing: the event came too late, or is not expected in this phase.
        case wait
        /// Let the user log in.
        case logIn
        /// Ask the app for audio, cover and attachment.
        case render
        /// Send the parts.
        case upload
        /// Publish the piece.
        case publish
        /// Report the end of the drop to the app. After a failure, remove its parts from the service.
        case close(succeeded: Bool)
    }

    /// Handles an event.
    ///
    /// A cancellation while the draft is checked takes effect after the check. From ``Phase/finishing`` on the drop
    /// cannot be canceled.
    ///
    /// - Returns: The next step; ``Step/close(succeeded:)`` at most once.
    public mutating func handle(_ event: Event) -> Step {
        switch event {
        case .validated(let needsLogin):
            guard phase == .validating, advance(to: needsLogin ? .waitingForLogin : .rendering) else { return .wait }
            if isCancelling { return advance(to: .cancelled) ? .close(succeeded: false) : .wait }
            return needsLogin ? .logIn : .render
        case .loggedIn: return phase == .waitingForLogin && advance(to: .rendering) ? .render : .wait
        case .rendered: return advance(to: .uploading) ? .upload : .wait
        case .uploaded: return advance(to: .finishing) ? .publish : .wait
        case .published: return advance(to: .done) ? .close(succeeded: true) : .wait
        case .failed: return advance(to: .failed) ? .close(succeeded: false) : .wait
        case .cancelled:
            isCancelling = isCancelling || phase == .validating
            return advance(to: .cancelled) ? .close(succeeded: false) : .wait
        }
    }
}
