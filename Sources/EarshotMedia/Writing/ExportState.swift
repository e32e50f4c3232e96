import EarshotCore

/// The status of an export and what led to it: a state machine without a clock or a thread.
struct ExportState: Sendable {
    /// An event of an export.
    enum Event: Sendable {
        case requested, begun, completed, cancelled
        /// Without a cause, an error that says so.
        case failed(EarshotError?)
    }

    private(set) var status = ExportStatus.unknown
    /// The error in the status ``ExportStatus/failed``; `nil` otherwise.
    private(set) var error: EarshotError?

    /// Takes an event in.
    ///
    /// - Returns: `true` if the status has changed; events that do not belong to a status change nothing.
    mutating func apply(_ event: Event) -> Bool {
        switch (status, event) {
        case (.unknown, .requested): status = .waiting
        case (.waiting, .begun): status = .exporting
        case (.exporting, .completed): status = .completed
        case (.unknown, .failed(let cause)), (.waiting, .failed(let cause)), (.exporting, .failed(let cause)):
            status = .failed
            error = cause ?? Self.unknownFailure
        case (.unknown, .cancelled), (.waiting, .cancelled), (.exporting, .cancelled): status = .cancelled
        default: return false
        }
        return true
    }

    /// The error if none is known.
    static let unknownFailure = EarshotError(.internalError, "The export failed without an error: try again.")
}
