import Crypto
package import EarshotCore
package import Foundation

/// The SHA-256 of a file's content.
package struct ContentDigest: Hashable, Sendable {
    /// 64 digits, in lower case.
    package let hexadecimal: String

    /// Reads a file to its end, 1 MiB at a time.
    ///
    /// - Throws: `readFailed` when it cannot be read.
    package init(ofFileAt url: URL) throws(EarshotError) {
        var hash = SHA256()
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty { hash.update(data: data) }
        } catch {
            throw EarshotError(
                .readFailed,
                "\(url.path) cannot be read to its end: check that it is there and that you may read it.",
                cause: error
            )
        }
        hexadecimal = hash.finalize().hexadecimal
    }

    /// Takes the digest of the text of a `.sha256` file: 64 digits, alone or before a space and a name, as `sha256sum`
    /// writes them. `nil` if that is not what it is.
    package init?(text: String) {
        guard let word = text.split(whereSeparator: \.isWhitespace).first?.lowercased(), word.utf8.count == 64,
            word.allSatisfy(\.isHexDigit)
        else { return nil }
        hexadecimal = word
    }

    /// The text of a `.sha256` file.
    package func text(naming name: String) -> String { "\(hexadecimal)  \(name)\n" }

    /// The bytes that a publisher signs: the digest under a name of its purpose, so that the signature is good for
    /// nothing else.
    var signedBytes: Data { Data("earshot catalog sha256 \(hexadecimal)\n".utf8) }
}
