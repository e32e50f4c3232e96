public import EarshotCore
public import Foundation

/// The outcome of an export, with texts for users.
public enum ExportOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The file of this name is there.
    case completed(name: String)
    /// There is none, for this reason.
    case failed(reason: String)
    /// Somebody did not want it.
    case cancelled

    /// `nil` for a status that is not final. An error without a message gets a default one.
    ///
    /// - Parameters:
    ///   - status: The status of the export.
    ///   - error: The error of the export.
    ///   - destination: The destination of the file.
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

    /// The name, the reason, or `cancelled`.
    public var description: String {
        switch self {
        case .completed(let name): name
        case .failed(let reason): reason
        case .cancelled: "cancelled"
        }
    }
}
