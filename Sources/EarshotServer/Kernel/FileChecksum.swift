import Crypto
import EarshotCore
import Foundation

/// The checksum of a file.
enum FileChecksum {
    /// Returns the number of bytes of a file, and its SHA-256 digest as hexadecimal digits. Blocks.
    ///
    /// - Throws: `readFailed`.
    static func of(_ url: URL) throws(EarshotError) -> (size: Int, sha256: String) {
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            var hash = SHA256()
            var size = 0
            while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
                hash.update(data: part)
                size += part.count
            }
            return (size, hash.finalize().hexadecimal)
        } catch {
            throw EarshotError(
                .readFailed,
                "\(url.path) cannot be read: check that you may read it, and the disk.",
                cause: error
            )
        }
    }
}
