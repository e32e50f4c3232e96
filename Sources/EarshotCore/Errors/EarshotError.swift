/// The error that every module throws.
///
/// `code` is for programs and stays the same between versions; `message` is one sentence for people that names the thing
/// and what to do about it. The registry of codes is `Docs/errors.md`.
public struct EarshotError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public let code: Code
    /// One sentence in English: what failed, with which thing, and what to do.
    public let message: String
    /// The error of a lower layer that led here.
    public let cause: (any Error)?
    /// The position in the audio at which it happened, if known.
    public let position: MediaTime?
    /// For a discontinuity, the distance of the audio from its expected position: positive for a gap, negative for a
    /// step back.
    public let deviation: MediaTime?

    /// An error.
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

    /// The message, with that of the cause behind it.
    public var description: String {
        guard let cause else { return message }
        return "\(message) (\(cause))"
    }
}
