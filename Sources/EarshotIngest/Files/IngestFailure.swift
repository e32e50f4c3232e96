import EarshotCore
import Foundation

/// A file that was left out, and the reason.
public struct IngestFailure: Sendable, Encodable {
    /// The path of the file or folder.
    public let file: String
    /// The code of the error, as in `Docs/errors.md`.
    public let code: String
    /// The message of the error.
    public let message: String

    package init(file: String, code: String, message: String) {
        (self.file, self.code, self.message) = (file, code, message)
    }

    init(_ file: MusicFile, _ error: EarshotError) {
        self.init(file: file.url.path, code: error.code.rawValue, message: error.message)
    }
}
