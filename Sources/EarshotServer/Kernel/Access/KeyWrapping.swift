import Crypto
package import EarshotCore
package import Foundation

/// Encrypts the service's signing keys with a key from outside its folder, so that a copy of the folder cannot sign.
///
/// An encrypted value is `W1`, then nonce, ciphertext and tag of AES-256-GCM. The name of the value is authenticated too, so that one value
/// cannot take the place of another.
package struct KeyWrapping: Sendable {
    private static let mark = Data("W1".utf8)

    private let key: SymmetricKey

    /// - Parameter key: 32 random bytes.
    init(key: Data) { self.key = SymmetricKey(data: key) }

    /// Reads a key of 32 bytes from a file: as raw bytes, in base64, or as 64 hexadecimal digits.
    ///
    /// - Throws: `configurationInvalid` if the file cannot be read or holds no such key.
    package init(file url: URL) throws(EarshotError) {
        guard let data = FileManager.default.contents(atPath: url.path), data.count <= 4_096,
            let key = Self.key(data)
        else {
            throw EarshotError(
                .configurationInvalid,
                "\(url.path) has no key of 32 bytes: write one with `openssl rand -base64 32`, where only the service may read it."
            )
        }
        self.init(key: key)
    }

    /// Returns the key in the content of a file; `nil` if it is not 32 bytes in one of the three forms.
    static func key(_ data: Data) -> Data? {
        if data.count == 32 { return data }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.utf8.count == 64, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) {
            let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
            return bytes.count == 32 ? Data(bytes) : nil
        }
        return Data(base64Encoded: text).flatMap { $0.count == 32 ? $0 : nil }
    }

    /// Returns `true` if a value of the store is encrypted.
    static func isWrapped(_ value: Data) -> Bool { value.count > 32 && value.starts(with: mark) }

    /// Encrypts a value.
    func wrapped(_ value: Data, name: String) throws(EarshotError) -> Data {
        do {
            let box = try AES.GCM.seal(value, using: key, authenticating: Data(name.utf8))
            // `combined` is `nil` only for a nonce of another length than 12 bytes, which CryptoKit does not choose.
            guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
            return Self.mark + combined
        } catch {
            throw EarshotError(.internalError, "A key could not be encrypted.", cause: error)
        }
    }

    /// Returns a value of the store, decrypted if it is encrypted.
    ///
    /// - Throws: `configurationInvalid` without the key that it was encrypted with.
    static func unwrapped(_ value: Data, name: String, with wrapping: KeyWrapping?) throws(EarshotError) -> Data {
        guard isWrapped(value) else { return value }
        do {
            guard let wrapping else { throw CryptoKitError.authenticationFailure }
            let box = try AES.GCM.SealedBox(combined: value.dropFirst(mark.count))
            return try AES.GCM.open(box, using: wrapping.key, authenticating: Data(name.utf8))
        } catch {
            throw EarshotError(
                .configurationInvalid,
                "The keys of this service are encrypted with another key than keyFile has: name the file that the service was first started with.",
                cause: error
            )
        }
    }
}
