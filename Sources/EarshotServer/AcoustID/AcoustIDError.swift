import EarshotCore
import HTTPTypes
import Hummingbird

/// A failure in the form of AcoustID's protocol.
struct AcoustIDError: Error, Hashable {
    /// The error code of the protocol.
    let code: Int
    let message: String
    /// The seconds after which a retry may succeed; `nil` if a retry does not help.
    let retryAfter: Int?

    /// The HTTP status of the response.
    var status: HTTPResponse.Status {
        switch code {
        case 5: .internalServerError
        case 13: .serviceUnavailable
        case 14: .tooManyRequests
        case 18: .notFound
        case 19: .contentTooLarge
        default: .badRequest
        }
    }

    private init(_ code: Int, _ message: String, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    static let unknownFormat = AcoustIDError(1, "unknown format: ask for json, jsonp or xml")
    static func missing(_ name: String) -> AcoustIDError {
        AcoustIDError(2, "missing required parameter \"\(name)\"")
    }
    /// Returns the failure for parameters that cannot be read at all. The protocol has no code for it, so it has the code of a missing
    /// parameter, whose status blames the client.
    static func unreadable(_ reason: String) -> AcoustIDError { AcoustIDError(2, reason) }
    static let invalidFingerprint = AcoustIDError(3, "invalid fingerprint")
    static let invalidKey = AcoustIDError(4, "invalid API key")
    static let internalError = AcoustIDError(5, "internal error")
    static let invalidUserKey = AcoustIDError(6, "invalid user API key")
    static func invalidUUID(_ name: String) -> AcoustIDError {
        AcoustIDError(7, "parameter \"\(name)\" is not a valid UUID")
    }
    static func invalidDuration(_ name: String) -> AcoustIDError {
        AcoustIDError(8, "parameter \"\(name)\" must be a whole number of seconds from 1 to 32767")
    }
    static func invalidBitRate(_ name: String) -> AcoustIDError {
        AcoustIDError(9, "parameter \"\(name)\" must be a positive whole number")
    }
    static func invalidForeignID(_ name: String) -> AcoustIDError {
        AcoustIDError(10, "parameter \"\(name)\" is not a valid foreign ID, which has the form vendor:id")
    }
    static let invalidDurationDifference = AcoustIDError(
        11,
        "parameter \"maxdurationdiff\" must be a whole number from 1 to 30"
    )
    static let notAllowed = AcoustIDError(12, "not allowed")
    static let unavailable = AcoustIDError(13, "service temporarily unavailable", retryAfter: 1)
    static func tooManyRequests(_ limit: Int) -> AcoustIDError {
        AcoustIDError(14, "rate limit exceeded: at most \(limit) requests per second", retryAfter: 1)
    }
    static func quotaUsedUp(_ message: String, seconds: Int) -> AcoustIDError {
        AcoustIDError(14, message, retryAfter: seconds)
    }
    static let invalidMusicBrainzToken = AcoustIDError(15, "invalid MusicBrainz access token")
    static let insecure = AcoustIDError(16, "this request must be made over HTTPS")
    static let unknownApplication = AcoustIDError(17, "unknown application")
    static let fingerprintNotFound = AcoustIDError(18, "fingerprint not found")
    static let tooLarge = AcoustIDError(19, "request too large")

    /// Converts an error of the service to the nearest one of this protocol.
    init(_ error: EarshotError) {
        self =
            switch error.code {
            case .clientIdentifierRejected: .invalidKey
            case .tokenRejected: .invalidUserKey
            // `quotaExceeded` here is the limit of users, which does not pass. The quota of a day has an error of its own.
            case .accessDenied, .quotaExceeded: .notAllowed
            case .signatureInvalid: .invalidFingerprint
            case .uploadTooLarge: .tooLarge
            case .tooManyRequests: AcoustIDError(14, error.message, retryAfter: 1)
            case .serviceBusy, .storeUnavailable, .searchIncomplete, .cancelled, .timedOut: .unavailable
            default: .internalError
            }
    }
}
