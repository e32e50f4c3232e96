import Crypto
import Foundation

/// What shows that a code is shown by whoever asked for it: RFC 7636, with SHA-256.
struct LoginProof: Sendable {
    /// What is shown together with the code: a secret until then.
    let verifier: String

    /// A new one, of 32 random bytes of the system.
    init() { self.init(verifier: Self.base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max) })) }

    init(verifier: String) { self.verifier = verifier }

    /// What the page is told, of which nobody can make the verifier.
    var challenge: String { Self.base64URL(SHA256.hash(data: Data(verifier.utf8))) }

    /// Bytes in base64url without padding.
    private static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
