public import EarshotCore

/// An event of a live source, besides its audio.
public enum CaptureEvent: Hashable, Sendable {
    /// The reason for an interruption.
    public enum Interruption: String, Hashable, Sendable {
        /// The source is open and delivers no audio.
        case stalled
        /// The other side closed the connection.
        case closed
        /// The connection to the source failed.
        case failed
    }

    /// The source is open; its first blocks have this format.
    case started(AudioFormat)
    /// The source delivers no more audio. A stream is reopened; a device is awaited.
    case interrupted(Interruption)
    /// Audio arrives again after an interruption.
    case resumed
    /// The device or its sound server is no longer available.
    case deviceLost
    /// Audio arrives again after the loss of a device, from it or from the default device in its place.
    case deviceBack
    /// Audio of this duration was dropped because the reader was too slow. The times of the blocks show the position.
    case overload(lost: MediaTime)
    /// There is no more audio. Always the last event.
    case ended
}
