public import EarshotCore

/// The progress of an export.
public struct ExportProgress: Hashable, Sendable {
    /// The part done, from 0 to 1; absent when the duration is not known. It never falls, and is 1 only after the file is there.
    public internal(set) var fraction: Double?
    /// Frames converted.
    public internal(set) var frameCount: Int64 = 0
    /// Bytes of samples, or of packets, taken from the source.
    public internal(set) var byteCount: Int64 = 0
    /// The end of the converted audio, on the asset's timeline.
    public internal(set) var position: MediaTime = .zero
    /// Seconds since it began.
    public internal(set) var elapsed: Double = 0
    /// Seconds that it is likely to take yet; absent when that is not known.
    public internal(set) var remaining: Double?
}
