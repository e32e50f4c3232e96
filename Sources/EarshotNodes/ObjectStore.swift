package import EarshotCore
package import Foundation

/// A bucket: it keeps files that several nodes need, or that must outlive this one. An object never changes.
package protocol ObjectStore: Sendable {
    /// The address, which tells it from other stores: what is in one is not in the other.
    var name: String { get }
    /// The most bytes of an object.
    var largest: Int { get }

    /// Keeps a file under a key. One that is there already gives way.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - size: The number of its bytes.
    ///   - sha256: The SHA-256 digest of its bytes, as hexadecimal digits.
    ///   - key: Its name: letters, digits, hyphens, dots and slashes.
    /// - Throws: `storeUnavailable`.
    func keep(_ file: URL, size: Int, sha256: String, as key: String) async throws(EarshotError)
    /// Writes what is kept under a key into a file that is not there yet.
    ///
    /// - Throws: `entityNotFound`, `storeUnavailable`, `writeFailed`.
    func fetch(_ key: String, to file: URL) async throws(EarshotError)
    /// Removes what is kept under a key; nothing happens if there is nothing.
    ///
    /// - Throws: `storeUnavailable`.
    func remove(_ key: String) async throws(EarshotError)
    /// Lists objects, a page at a time.
    ///
    /// - Parameters:
    ///   - prefix: The text with which the keys begin.
    ///   - token: The ``ObjectPage/next`` of the page before; `nil` for the first one.
    /// - Throws: `storeUnavailable`.
    func list(_ prefix: String, after token: String?) async throws(EarshotError) -> ObjectPage
    /// Checks that the store answers and lets the service in.
    ///
    /// - Throws: `storeUnavailable`, `configurationInvalid` for a bucket that is not there.
    func check() async throws(EarshotError)
}
