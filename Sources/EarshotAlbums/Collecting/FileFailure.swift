public import EarshotCore

/// A file that could not be looked at, and why.
public struct FileFailure: Hashable, Sendable {
    /// The file, by the name that the question gave it.
    public let file: String
    /// The code of the failure, as `Docs/errors.md` has it.
    public let code: String
    /// The message of the error, with the remedy, in English.
    public let message: String

    /// A failure.
    public init(file: String, _ error: EarshotError) {
        self.file = file
        code = error.code.rawValue
        message = error.message
    }
}
