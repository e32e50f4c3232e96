public import EarshotCore

/// The progress of an ``AssetReader``.
public struct ReadingProgress: Hashable, Sendable {
    /// The time of the end of the last delivered block, on the asset's timeline.
    public internal(set) var position: MediaTime
    /// The number of frames delivered.
    public internal(set) var frameCount: Int64 = 0
    /// The number of bytes of PCM delivered.
    public internal(set) var byteCount: Int64 = 0
    /// The number of damaged packets that were skipped so far.
    public internal(set) var damagedPacketCount = 0
    /// The completed fraction, from 0 to 1; `nil` if the duration is not known. It never decreases, and is 1 only after
    /// everything was read without an error.
    public internal(set) var fraction: Double?
    /// The difference between declared and measured duration; `nil` until the whole asset was read, and if there is
    /// none.
    public internal(set) var durationMismatch: DurationMismatch?
}
