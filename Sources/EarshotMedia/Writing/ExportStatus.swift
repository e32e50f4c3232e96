/// The status of an export.
public enum ExportStatus: String, Hashable, Sendable, CaseIterable {
    /// The export was not started.
    case unknown
    /// Queued: other exports are running.
    case waiting
    /// The export is running.
    case exporting
    /// The file is complete.
    case completed
    /// The export failed.
    case failed
    /// The export was canceled.
    case cancelled

    /// `true` if the status no longer changes.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
