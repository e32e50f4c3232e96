public import EarshotCore

/// An event of a live source, besides its audio.
public enum CaptureEvent: Hashable, Sendable {
    /// The reason for an interruption.
    public enum Interruption: String, Hashable, Sendable {
        /// It is open and gives nothing.
        case stalled
        /// The other side ended the connection.
        case closed
        /// The connection failed.
        case failed
    }

    /// The source is open; its first blocks have this format.
    case started(AudioFormat)
    /// The source delivers no more audio. A stream is reopened; a device is awaited.
    case interrupted(Interruption)
    /// Sound comes again after an interruption.
    case resumed
    /// The device or its sound server is no longer available.
    case deviceLost
    /// Sound comes again from the device, or from the default one in its place.
    case deviceBack
    /// This duration of audio was dropped because the reader was too slow; the times of the blocks show where.
    case overload(lost: MediaTime)
    /// There is no more audio. Always the last event.
    case ended
}
