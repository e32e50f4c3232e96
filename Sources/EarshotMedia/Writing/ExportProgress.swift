public import EarshotCore

/// The progress of an export.
public struct ExportProgress: Hashable, Sendable {
    /// The completed fraction, from 0 to 1; `nil` if the duration is not known. It never decreases, and is 1 only after
    /// the file is complete.
    public internal(set) var fraction: Double?
    /// The number of frames converted.
    public internal(set) var frameCount: Int64 = 0
    /// The number of bytes of samples or packets read from the source.
    public internal(set) var byteCount: Int64 = 0
    /// The end of the converted audio, on the asset's timeline.
    public internal(set) var position: MediaTime = .zero
    /// The time since the export began, in seconds.
    public internal(set) var elapsed: Double = 0
    /// The estimated time until the export ends, in seconds; `nil` if it is not known.
    public internal(set) var remaining: Double?
}
