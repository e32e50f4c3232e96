import Crypto
public import EarshotCore
public import Foundation

/// The secret half of a publisher's Ed25519 key: what catalogs are signed with.
public struct SigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// A new key.
    public init() { key = Curve25519.Signing.PrivateKey() }

    /// Reads a key from a key file: see `Docs/remote-catalogs.md`.
    ///
    /// - Throws: `assetNotFound` when there is no such file, `verificationFailed` when it holds no secret key.
    public init(contentsOf url: URL) throws(EarshotError) {
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw EarshotError(.assetNotFound, "There is no readable key file at \(url.path): check the path.")
        }
        guard let bytes = KeyText.value(of: KeyText.secretWord, in: text),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        else {
            throw EarshotError(
                .verificationFailed,
                "\(url.path) holds no secret key: make one with `earshot catalog sign --generate-key`."
            )
        }
        self.key = key
    }

    /// The half that is given away.
    public var publicKey: PublisherKey { PublisherKey(key.publicKey) }

    /// Writes the key file, which only its owner may read, and beside it the file of the public half, with `.pub` behind
    /// its name.
    ///
    /// - Throws: `destinationExists` when either is there, `writeFailed`.
    public func write(to url: URL) throws(EarshotError) {
        let pair = [url, url.appendingPathExtension("pub")]
        for file in pair where FileManager.default.fileExists(atPath: file.path) { throw AtomicFile.exists(file) }
        let secret =
            "# A secret key: whoever has it can sign catalogs in its owner's name.\n"
            + KeyText.line(KeyText.secretWord, key.rawRepresentation)
        // With its rights from the beginning, so that there is no instant at which others could read it.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else {
            throw EarshotError(.writeFailed, "\(url.path) cannot be written: check the folder and its rights.")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(secret.utf8))
            try handle.synchronize()
        } catch {
            throw EarshotError(.writeFailed, "\(url.path) cannot be written: check the space left.", cause: error)
        }
        let text = KeyText.line(KeyText.publicWord, publicKey.bytes)
        try AtomicFile.write(Array(text.utf8), to: pair[1], replacing: false)
    }

    /// Writes the signature of a catalog file and its SHA-256 beside it, with `.sig` and `.sha256` behind its name. Those
    /// of an earlier state of the catalog are replaced.
    ///
    /// - Returns: The two files.
    /// - Throws: `readFailed`, `writeFailed`.
    @discardableResult
    public func sign(_ catalog: URL) throws(EarshotError) -> [URL] {
        let digest = try ContentDigest(ofFileAt: catalog)
        let signature: Data
        do {
            signature = try key.signature(for: digest.signedBytes)
        } catch {
            throw EarshotError(
                .internalError,
                "\(catalog.path) could not be signed: please report this, with the cause.",
                cause: error
            )
        }
        let files = [
            (catalog.appendingPathExtension("sig"), signature.base64EncodedString() + "\n"),
            (catalog.appendingPathExtension("sha256"), digest.text(naming: catalog.lastPathComponent)),
        ]
        for (url, text) in files { try AtomicFile.write(Array(text.utf8), to: url, replacing: true) }
        return files.map(\.0)
    }
}

/// The text of key files: lines of a word and Base64; other lines are comments.
enum KeyText {
    static let secretWord = "earshot-secret-key"
    static let publicWord = "earshot-public-key"

    static func line(_ word: String, _ value: Data) -> String { "\(word) \(value.base64EncodedString())\n" }

    /// The value behind a word, or Base64 that stands alone.
    static func value(of word: String, in text: String) -> Data? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace) }
            .filter { $0.first?.hasPrefix("#") == false }
        if let line = lines.first(where: { $0.count == 2 && $0[0] == word }) {
            return Data(base64Encoded: String(line[1]))
        }
        // A key that is marked as another kind is none of this one.
        guard lines.count == 1, lines[0].count == 1 else { return nil }
        return Data(base64Encoded: String(lines[0][0]))
    }
}
