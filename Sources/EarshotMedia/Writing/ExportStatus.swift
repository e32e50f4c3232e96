/// How far an export has come.
public enum ExportStatus: String, Hashable, Sendable, CaseIterable {
    /// Nothing was asked for yet.
    case unknown
    /// Asked for, and not begun: others come first.
    case waiting
    /// Under way.
    case exporting
    /// The file is there.
    case completed
    /// It ended in an error.
    case failed
    /// It was cancelled.
    case cancelled

    /// `true` if nothing comes after it.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
