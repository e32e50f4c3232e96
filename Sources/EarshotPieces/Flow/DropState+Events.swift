extension DropState {
    /// An event of a drop.
    public enum Event: Hashable, Sendable {
        /// The draft and the set-up are in order.
        ///
        /// - Parameter needsLogin: `true` if nobody has logged in.
        case validated(needsLogin: Bool)
        /// A user has logged in.
        case loggedIn
        /// The app has given everything.
        case rendered
        /// The service has everything.
        case uploaded
        /// The service has published the piece.
        case published
        /// Something went wrong.
        case failed
        /// Its user does not want it after all.
        case cancelled
    }

    /// The next step of a drop.
    public enum Step: Hashable, Sendable {
        /// Nothing: what happened has come too late, or has no place here.
        case wait
        /// A user is to log in.
        case logIn
        /// Ask the app for audio, cover and attachment.
        case render
        /// They are to be sent.
        case upload
        /// The piece is to be published.
        case publish
        /// Report to the app that the drop is over; after a failure, remove its parts from the service.
        case close(succeeded: Bool)
    }

    /// Goes on by what happened.
    ///
    /// A cancellation while the draft is checked takes effect after the check. From ``Phase/finishing`` on the drop
    /// cannot be cancelled.
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
