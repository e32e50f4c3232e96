import CoreFoundation
import EarshotCatalogs
package import EarshotCore
package import Foundation

/// Keeps two commands from changing one catalog file at once, so that neither undoes the other.
///
/// The lock is on the file itself. A change replaces the file, so whoever waited looks again whether the one it holds is
/// still the one of that name.
package final class CatalogLock {
    private let descriptor: Int32

    /// Waits until no other command changes the catalog.
    ///
    /// - Parameters:
    ///   - url: The catalog.
    ///   - patience: The time to wait.
    /// - Throws: `catalogAddressInvalid` when there is none, `writeFailed` when another command changes it for longer.
    package init(_ url: URL, patience: LockPatience) throws(EarshotError) {
        while true {
            let candidate = open(url.path, O_RDONLY | O_CLOEXEC)
            guard candidate >= 0 else {
                throw EarshotError(
                    .catalogAddressInvalid,
                    "There is no catalog that can be opened at \(url.path): check the path and that you may read it."
                )
            }
            // A file system without locks keeps nobody from the change.
            let outcome = FileLock.take(candidate, patience: patience) { LockHolder.holding(candidate) }
            if case .busy(let holder) = outcome {
                close(candidate)
                throw patience.refusal?(url.path, holder)
                    ?? EarshotError(
                        .storeUnavailable,
                        "\(url.path) is being changed by \(holder?.description ?? "another program"): try again when it has ended."
                    )
            }
            var (held, named) = (stat(), stat())
            if fstat(candidate, &held) == 0, stat(url.path, &named) == 0, held.st_ino == named.st_ino,
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
