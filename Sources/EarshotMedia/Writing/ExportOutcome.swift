public import EarshotCore
public import Foundation

/// How an export ended, in words for people.
public enum ExportOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The file of this name is there.
    case completed(name: String)
    /// There is none, for this reason.
    case failed(reason: String)
    /// Somebody did not want it.
    case cancelled

    /// Nothing for a status that is not final. Where an error has no words of its own, some are put in their place.
    ///
    /// - Parameters:
    ///   - status: How far the export has come.
    ///   - error: Why it failed.
    ///   - destination: Where the file was to go.
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
