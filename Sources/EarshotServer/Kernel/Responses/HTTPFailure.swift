import EarshotCore
import EarshotPieces
import HTTPTypes

/// An error with a status other than that of its code, or with further content.
struct HTTPFailure: Error {
    let error: EarshotError
    var status: HTTPResponse.Status?
    /// All violations of a draft; `nil` if the error is not about a draft.
    var violations: [DraftViolation]?

    init(_ error: EarshotError, status: HTTPResponse.Status? = nil, violations: [DraftViolation]? = nil) {
        (self.error, self.status, self.violations) = (error, status, violations)
    }

    /// Returns an error with status 409: the state is not as the request assumes.
    static func conflict(_ error: EarshotError) -> HTTPFailure { HTTPFailure(error, status: .conflict) }
}
