package import EarshotCore
package import Foundation

/// The file operations of a store, so that a test can let any of them fail.
package protocol StoreDisk: Sendable {
    /// Writes a file that appears whole or not at all and, once this returns, outlasts a power failure.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - write: Writes it, through `AtomicFile`.
    func put(_ url: URL, _ write: (URL) throws(EarshotError) -> Void) throws(EarshotError)

    /// Deletes a file or a folder. One that cannot be deleted is only in the way: the next writer deletes it.
    func remove(_ url: URL)
}

/// The disk of this machine.
package struct LocalDisk: StoreDisk {
    package init() {}

    package func put(_ url: URL, _ write: (URL) throws(EarshotError) -> Void) throws(EarshotError) { try write(url) }

    package func remove(_ url: URL) { try? FileManager.default.removeItem(at: url) }
}
