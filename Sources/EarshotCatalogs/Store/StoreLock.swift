package import EarshotCore
package import Foundation

/// Keeps a store to one writer at a time. Readers take no notice of it.
package final class StoreLock: Sendable {
    package static let fileName = "lock"

    private let descriptor: Int32

    /// - Parameters:
    ///   - folder: The store.
    ///   - waiting: Whether to wait for another writer to end.
    /// - Throws: `writeFailed` when another writer is at work and is not to be waited for, or the folder may not be
    ///   written.
    package init(_ folder: URL, waiting: Bool) throws(EarshotError) {
        let path = folder.appendingPathComponent(Self.fileName).path
        while true {
            let candidate = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
            guard candidate >= 0 else {
                throw EarshotError(
                    .writeFailed,
                    "\(folder.path) cannot be changed: check that it is there and that you may write in it."
                )
            }
            var result = flock(candidate, waiting ? LOCK_EX : LOCK_EX | LOCK_NB)
            while waiting, result != 0, errno == EINTR { result = flock(candidate, LOCK_EX) }
            guard result == 0 else {
                close(candidate)
                throw EarshotError(
                    .writeFailed,
                    "\(folder.path) is being changed by another program: wait for it to end."
                )
            }
            // Whoever waited looks whether the store is still the one of that name.
            var (held, named) = (stat(), stat())
            if fstat(candidate, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino,
                held.st_dev == named.st_dev
            {
                descriptor = candidate
                return
            }
            close(candidate)
        }
    }

    deinit { FileLock.release(descriptor) }
}
