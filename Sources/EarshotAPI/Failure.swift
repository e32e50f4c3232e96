public import EarshotCore
public import EarshotPieces

/// The form of an error in a response: `{"error": {"code": …, "message": …, "requestID": …}}`.
public struct Failure: Hashable, Sendable, Codable {
    /// The failure.
    public var error: Body

    /// The error.
    public struct Body: Hashable, Sendable, Codable {
        /// The stable name of the failure, from the registry of error codes.
        public var code: String
        /// One sentence for technical staff.
        public var message: String
        /// Names the request in the service's log.
        public var requestID: String?
        /// All that is wrong with the draft of a piece, where that is what failed.
        public var violations: [DraftViolation]?

        /// Creates a failure.
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

    /// A failure.
    public init(_ error: EarshotError, requestID: String? = nil) {
        self.error = Body(code: error.code.rawValue, message: error.message, requestID: requestID)
    }
}
