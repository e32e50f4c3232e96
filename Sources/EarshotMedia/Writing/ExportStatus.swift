/// The progress of an export.
public enum ExportStatus: String, Hashable, Sendable, CaseIterable {
    /// Not started.
    case unknown
    /// Queued: other exports are running.
    case waiting
    /// Running.
    case exporting
    /// The file is written.
    case completed
    /// The export failed.
    case failed
    /// It was cancelled.
    case cancelled

    /// `true` if the state is final.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
