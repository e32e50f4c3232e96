public import EarshotCore
public import Foundation

/// The final outcome of an export, with texts for users.
public enum ExportOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The file of this name was written.
    case completed(name: String)
    /// The export failed; the reason is a sentence.
    case failed(reason: String)
    /// The export was canceled.
    case cancelled

    /// Creates an outcome; `nil` for a status that is not final. An error without a message gets a default one.
    ///
    /// - Parameters:
    ///   - status: The status of the export.
    ///   - error: The error of a failed export.
    ///   - destination: The address of the file.
    public init?(_ status: ExportStatus, error: EarshotError?, destination: URL) {
        switch status {
        case .unknown, .waiting, .exporting: return nil
        case .completed: self = .completed(name: destination.lastPathComponent)
        case .cancelled: self = .cancelled
        case .failed:
            let reason = error?.message ?? ""
            self = .failed(reason: reason.isEmpty ? ExportState.unknownFailure.message : reason)
        }
    }

    /// The file name, the reason of the failure, or `cancelled`.
    public var description: String {
        switch self {
        case .completed(let name): name
        case .failed(let reason): reason
        case .cancelled: "cancelled"
        }
    }
}
