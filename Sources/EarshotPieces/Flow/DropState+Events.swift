extension DropState {
    /// What happens to a drop.
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

    /// What is to be done next.
    public enum Step: Hashable, Sendable {
        /// Nothing: what happened has come too late, or has no place here.
        case wait
        /// A user is to log in.
        case logIn
        /// The app is to give sound, cover and attachment.
        case render
        /// They are to be sent.
        case upload
        /// The piece is to be published.
        case publish
        /// The app is to be told that the drop is over; where it did not succeed, what the service has of it is to be removed.
        case close(succeeded: Bool)
    }

    /// Goes on by what happened.
    ///
    /// A wish to cancel while the draft is looked at is kept, and holds as soon as that is over. From ``Phase/finishing`` on there is
    /// nothing left to cancel.
    ///
    /// - Returns: What is to be done; ``Step/close(succeeded:)`` once at most.
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
