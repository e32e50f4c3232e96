public import EarshotCore
public import EarshotPieces

/// The form of an error in a response: `{"error": {"code": …, "message": …, "requestID": …}}`.
public struct Failure: Hashable, Sendable, Codable {
    /// The error that the response reports.
    public var error: Body

    /// The contents of a reported error.
    public struct Body: Hashable, Sendable, Codable {
        /// The stable error code, as listed in `Docs/errors.md`.
        public var code: String
        /// One sentence about the failure, for technical staff.
        public var message: String
        /// The identifier of the request in the service's log; `nil` if it has none.
        public var requestID: String?
        /// All rules that the draft of a piece breaks; `nil` for other errors.
        public var violations: [DraftViolation]?

        /// Creates the contents of an error.
        package init(
            code: String,
            message: String,
            requestID: String? = nil,
            violations: [DraftViolation]? = nil
        ) {
            self.code = code
            self.message = message
            self.requestID = requestID
            self.violations = violations
        }
    }

    /// Creates the response for an error.
    public init(_ error: EarshotError, requestID: String? = nil) {
        self.error = Body(code: error.code.rawValue, message: error.message, requestID: requestID)
    }
}
