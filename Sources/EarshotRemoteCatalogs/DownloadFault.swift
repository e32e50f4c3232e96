import EarshotCore

/// The cause of a failed download, behind the message for people.
package enum DownloadFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server answered with a status that is no success.
    case status(Int)
    /// The server's answer makes no sense.
    case answer
    /// More bytes than allowed.
    case size

    /// `true` if another attempt may go better.
    package var isTransient: Bool {
        switch self {
        case .status(let status): status >= 500 || status == 408 || status == 429
        case .answer: true
        case .size: false
        }
    }

    package var description: String {
        switch self {
        case .status(let status): "status \(status)"
        case .answer: "an answer that does not fit the request"
        case .size: "too large"
        }
    }
}

extension EarshotError {
    /// `true` if another attempt at a download may go better.
    package var isTransientDownloadFailure: Bool {
        guard code == .downloadFailed else { return false }
        return (cause as? DownloadFault)?.isTransient ?? (cause != nil)
    }
}
