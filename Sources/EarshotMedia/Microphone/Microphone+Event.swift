public import EarshotCore

extension Microphone {
    /// An event of a microphone, besides its audio.
    public enum Event: Sendable {
        /// The microphone is open and delivers audio of this format.
        case started(AudioConfiguration)
        /// No audio arrives; the microphone waits for it.
        case interrupted(Interruption)
        /// Audio arrives again.
        case resumed
        /// The microphone captures from another device now, whose name is given.
        case routeChanged(String)
        /// Audio of this duration is missing.
        case gap(MediaTime)
        /// Capturing failed with this error. The run ends.
        case failed(EarshotError)
        /// There is no more audio until the next start. Always the last event of a run.
        case ended
    }

    /// The reason for an interruption.
    public enum Interruption: String, Hashable, Sendable, CaseIterable {
        /// The device is open and delivers nothing, for example during a phone call.
        case stalled
        /// The device or its sound server is no longer available.
        case deviceLost
        /// A stream was closed by the other side, or failed.
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
