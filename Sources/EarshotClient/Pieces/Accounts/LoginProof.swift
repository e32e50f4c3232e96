import Crypto
import EarshotAPI
import Foundation

/// The proof that a code is used by the app that asked for it: RFC 7636, with SHA-256.
struct LoginProof: Sendable {
    /// The verifier that is sent with the code: a secret until then.
    let verifier: String

    /// A new one, of 32 random bytes of the system.
    init() { self.init(verifier: Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }).base64URL) }

    init(verifier: String) { self.verifier = verifier }

    /// The code challenge: the SHA-256 of the verifier as Base64URL.
    var challenge: String { Data(SHA256.hash(data: Data(verifier.utf8))).base64URL }
}
