public import EarshotCore

extension Microphone {
    /// Something that happened to a microphone beside its sound.
    public enum Event: Sendable {
        /// It is open and gives sound of this kind.
        case started(AudioConfiguration)
        /// No sound comes any more; it is waited for.
        case interrupted(Interruption)
        /// Sound comes again.
        case resumed
        /// Another device is listened to than before: its name.
        case routeChanged(String)
        /// So much sound is missing.
        case gap(MediaTime)
        /// It could not go on.
        case failed(EarshotError)
        /// There will be no more sound until the next start. Always the last of a run.
        case ended
    }

    /// Why no sound comes.
    public enum Interruption: String, Hashable, Sendable, CaseIterable {
        /// The device is open and gives nothing; a call, say, has taken it.
        case stalled
        /// The device or its sound server has gone away.
        case deviceLost
        /// A stream was ended by its other side, or failed.
        case streamLost
    }
}

extension Microphone.Event: CustomStringConvertible {
    /// The event in a few words, such as `interrupted: deviceLost`.
    public var description: String {
        switch self {
        case .started(let configuration): "started: \(configuration)"
        case .interrupted(let reason): "interrupted: \(reason.rawValue)"
        case .resumed: "resumed"
        case .routeChanged(let name): "route changed: \(name)"
        case .gap(let duration): "gap: \(duration.label)"
        case .failed(let error): "failed: \(error.message)"
        case .ended: "ended"
        }
    }
}
