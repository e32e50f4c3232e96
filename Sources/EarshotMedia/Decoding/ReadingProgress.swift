public import EarshotCore

/// The progress of reading.
public struct ReadingProgress: Hashable, Sendable {
    /// The time at the end of the last block delivered, on the asset's timeline.
    public internal(set) var position: MediaTime
    /// Frames delivered.
    public internal(set) var frameCount: Int64 = 0
    /// Bytes of PCM delivered.
    public internal(set) var byteCount: Int64 = 0
    /// Damaged packets left out so far.
    public internal(set) var damagedPacketCount = 0
    /// The part done, from 0 to 1; absent when the duration is not known. It never falls, and is 1 only after everything
    /// was read without an error.
    public internal(set) var fraction: Double?
    /// The difference to the declared duration; `nil` until the whole asset was read, and if there is none.
    public internal(set) var durationMismatch: DurationMismatch?
}
