import Crypto
public import EarshotCore
public import Foundation

/// The public half of a publisher's Ed25519 key: what an app checks downloaded catalogs with.
public struct PublisherKey: Hashable, Sendable, CustomStringConvertible {
    let bytes: Data

    /// The key as Base64, 44 characters.
    public var description: String { bytes.base64EncodedString() }

    init(_ key: Curve25519.Signing.PublicKey) { bytes = key.rawRepresentation }

    /// Reads a key from Base64, as an app has it in its source, or from the text of a key file: see
    /// `Docs/remote-catalogs.md`.
    ///
    /// - Throws: `verificationFailed` when it is no public key.
    public init(_ text: String) throws(EarshotError) {
        guard let bytes = KeyText.value(of: KeyText.publicWord, in: text),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        else {
            throw EarshotError(
                .verificationFailed,
                "The publisher's key is not a public key: it takes 44 characters of Base64, as `earshot catalog sign "
                    + "--generate-key` writes them."
            )
        }
        self.init(key)
    }

    /// Checks that a catalog file is as its publisher signed it.
    ///
    /// - Parameters:
    ///   - file: The catalog.
    ///   - signature: The file of the signature; without it, the one beside the catalog with `.sig` behind its name.
    /// - Throws: `verificationFailed` when there is no signature, or it is not this publisher's of this content;
    ///   `readFailed` when the catalog cannot be read.
    public func verify(_ file: URL, signature: URL? = nil) throws(EarshotError) {
        let signature = signature ?? file.appendingPathExtension("sig")
        guard let text = try? String(contentsOf: signature, encoding: .utf8) else {
            throw EarshotError(
                .verificationFailed,
                "\(file.path) has no signature at \(signature.path): get it from the publisher."
            )
        }
        try verify(try ContentDigest(ofFileAt: file), signature: text, name: file.path)
    }

    func verify(_ digest: ContentDigest, signature text: String, name: String) throws(EarshotError) {
        guard let signature = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes),
            key.isValidSignature(signature, for: digest.signedBytes)
        else {
            throw EarshotError(
                .verificationFailed,
                "\(name) does not match the publisher's signature with the key \(self): get it from the publisher again."
            )
        }
    }
}
