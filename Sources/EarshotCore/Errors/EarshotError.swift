/// The error that every module throws.
///
/// `code` is for programs and stays the same between versions; `message` is one sentence for people that names the thing
/// and what to do about it. The registry of codes is `Docs/errors.md`.
public struct EarshotError: Error, Sendable, CustomStringConvertible {
    /// The code of the failure.
    public let code: Code
    /// One sentence in English: what failed, with which thing, and what to do.
    public let message: String
    /// The underlying error; `nil` if there is none.
    public let cause: (any Error)?
    /// The position in the audio at which the failure occurred; `nil` if it does not apply.
    public let position: MediaTime?
    /// The distance of the audio from its expected position, for a discontinuity: positive for a gap, negative for a
    /// step back. `nil` for other errors.
    public let deviation: MediaTime?

    /// Creates an error; `cause` is the underlying error.
    public init(
        _ code: Code,
        _ message: String,
        position: MediaTime? = nil,
        deviation: MediaTime? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.position = position
        self.deviation = deviation
        self.cause = cause
    }

    /// The message, followed by the cause in parentheses.
    public var description: String {
        guard let cause else { return message }
        return "\(message) (\(cause))"
    }
}
