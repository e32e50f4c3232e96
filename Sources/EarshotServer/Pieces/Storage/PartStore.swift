package import EarshotCore
package import Foundation

/// Where the parts of pieces are kept when the service's own folder is not to be the only place.
///
/// The folder stays what parts come into and what they are read from; what is not there any more is fetched.
package protocol PartStore: Sendable {
    /// What tells it from other stores: parts that are in one are not in the other.
    var name: String { get }
    /// The most bytes of a part.
    var largest: Int { get }

    /// Keeps a file under a key. One that is there already gives way.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - size: How many bytes it has.
    ///   - sha256: The SHA-256 digest of its bytes, as hexadecimal digits.
    ///   - key: Its name: letters, digits, hyphens and slashes.
    /// - Throws: `storeUnavailable`.
    func keep(_ file: URL, size: Int, sha256: String, as key: String) async throws(EarshotError)
    /// Writes what is kept under a key into a file that is not there yet.
    ///
    /// - Throws: `entityNotFound`, `storeUnavailable`, `writeFailed`.
    func fetch(_ key: String, to file: URL) async throws(EarshotError)
    /// Forgets what is kept under a key; nothing happens where there is nothing.
    ///
    /// - Throws: `storeUnavailable`.
    func remove(_ key: String) async throws(EarshotError)
    /// Looks whether the store answers and lets the service in.
    ///
    /// - Throws: `storeUnavailable`, `configurationInvalid` for a bucket that is not there.
    func check() async throws(EarshotError)
}
