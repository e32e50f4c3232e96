import Crypto
import Foundation

/// The page that the service shows to people: its first steps, with commands to copy.
struct StartPage: Page {
    static let template = "start"

    let base: String
    /// The script that gives every command a button that copies it. Browsers let pages use the clipboard on secure addresses
    /// only: on others the command is marked and copied as by hand.
    let script: String

    /// Whether the page links the state of the service.
    let tellsState: Bool

    /// Creates the page.
    ///
    /// - Parameter base: The address of the service; empty if it is not known.
    init(base: String, script: String, tellsState: Bool) {
        self.base = base.isEmpty ? "http://localhost:8080" : base
        (self.script, self.tellsState) = (script, tellsState)
    }

    /// The content policy of the page: its own script and style, and nothing else.
    var contentPolicy: String {
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"
            + Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
            + "'; frame-ancestors 'none'; base-uri 'none'"
    }
}
