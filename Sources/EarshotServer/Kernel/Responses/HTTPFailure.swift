import EarshotCore
import EarshotPieces
import HTTPTypes

/// A failure that is told with another status than its code has, or with more than a code.
struct HTTPFailure: Error {
    let error: EarshotError
    var status: HTTPResponse.Status?
    /// All that is wrong with a draft.
    var violations: [DraftViolation]?

    init(_ error: EarshotError, status: HTTPResponse.Status? = nil, violations: [DraftViolation]? = nil) {
        (self.error, self.status, self.violations) = (error, status, violations)
    }

    /// A conflict: the state is not as the request takes it to be.
    static func conflict(_ error: EarshotError) -> HTTPFailure { HTTPFailure(error, status: .conflict) }
}
