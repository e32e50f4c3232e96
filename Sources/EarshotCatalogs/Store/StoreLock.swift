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
    package convenience init(_ folder: URL, waiting: Bool) throws(EarshotError) {
        try self.init(folder, patience: waiting ? .endless : .none)
    }

    /// - Parameters:
    ///   - folder: The store.
    ///   - patience: How long to wait for another writer to end.
    /// - Throws: `writeFailed` when another writer is at work for longer, or the folder may not be written.
    package init(_ folder: URL, patience: LockPatience) throws(EarshotError) {
        let path = folder.appendingPathComponent(Self.fileName).path
        while true {
            let candidate = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
            guard candidate >= 0 else {
                throw EarshotError(
                    .writeFailed,
                    "\(folder.path) cannot be changed: check that it is there and that you may write in it."
                )
            }
            let outcome = FileLock.take(candidate, patience: patience) {
                LockHolder.read(from: candidate) ?? LockHolder.holding(candidate)
            }
            switch outcome {
            case .locked: break
            case .busy(let holder):
                close(candidate)
                if let refusal = patience.refusal { throw refusal(folder.path, holder) }
                let who = holder?.description ?? "another program"
                throw EarshotError(
                    .writeFailed,
                    "\(folder.path) is being changed by \(who): wait for it to end."
                )
            case .failed:
                close(candidate)
                throw EarshotError(
                    .writeFailed,
                    "\(folder.path) cannot be locked: put the store on a file system that knows locks."
                )
            }
            // Whoever waited looks whether the store is still the one of that name.
            var (held, named) = (stat(), stat())
            if fstat(candidate, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino,
                held.st_dev == named.st_dev
            {
                descriptor = candidate
                LockHolder.current().write(to: candidate)
                return
            }
            close(candidate)
        }
    }

    /// Says in the lock who holds it, for programs that would change the store too.
    package func announce(_ holder: LockHolder) { holder.write(to: descriptor) }

    deinit {
        LockHolder.erase(from: descriptor)
        FileLock.release(descriptor)
    }
}
