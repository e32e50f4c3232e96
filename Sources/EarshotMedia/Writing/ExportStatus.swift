/// The status of an export.
public enum ExportStatus: String, Hashable, Sendable, CaseIterable {
    /// Not started.
    case unknown
    /// Queued: other exports are running.
    case waiting
    /// The export is running.
    case exporting
    /// The file is written.
    case completed
    /// The export failed.
    case failed
    /// The export was cancelled.
    case cancelled

    /// `true` if the status no longer changes.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
