import Crypto
import Foundation

/// A key for message authentication codes, with which the service recognizes its own tokens, content addresses and forms.
///
/// The seal of a text is its HMAC-SHA-256 with this key.
struct Seal: Sendable {
    private let key: SymmetricKey

    init(key: Data) {
        self.key = SymmetricKey(data: key)
    }

    /// Returns the seal of a text.
    func code(for text: String) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    /// Returns `true` if a code is the seal of a text, or the beginning of the seal. Compares in constant time.
    ///
    /// - Parameter size: The number of bytes that a code has.
    func isValid(_ code: Data, for text: String, size: Int = 32) -> Bool {
        Secrets.areEqual(code, self.code(for: text).prefix(size))
    }
}
