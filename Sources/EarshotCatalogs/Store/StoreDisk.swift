import EarshotCore
import Foundation

/// The few things that a store does to its folder, so that a test can let any of them fail.
protocol StoreDisk: Sendable {
    /// Makes a file that appears whole or not at all and, once this returns, outlasts a power failure.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - write: Writes it, through `AtomicFile`.
    func put(_ url: URL, _ write: (URL) throws(EarshotError) -> Void) throws(EarshotError)

    /// Takes a file away. One that stays behind is only in the way: the next writer takes it.
    func remove(_ url: URL)
}

/// The real one.
struct FolderDisk: StoreDisk {
    func put(_ url: URL, _ write: (URL) throws(EarshotError) -> Void) throws(EarshotError) { try write(url) }

    func remove(_ url: URL) { unlink(url.path) }
}
