public import EarshotCore

/// Something that happened to a live source, beside its sound.
public enum CaptureEvent: Hashable, Sendable {
    /// Why a source went silent.
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
    /// Nothing comes any more. A stream is opened again; a device is waited for.
    case interrupted(Interruption)
    /// Sound comes again after an interruption.
    case resumed
    /// The device or its sound server has gone away.
    case deviceLost
    /// Sound comes again from the device, or from the default one in its place.
    case deviceBack
    /// This much sound was lost because it was not taken in time; the times of the blocks show where.
    case overload(lost: MediaTime)
    /// There will be no more sound. Always the last event.
    case ended
}
