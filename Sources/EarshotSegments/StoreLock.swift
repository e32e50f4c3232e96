package import EarshotCore
package import Foundation

/// Keeps a store to one writer at a time. Readers take no notice of it.
package final class StoreLock: Sendable {
    package static let fileName = "lock"

    private let descriptor: Int32

    /// A reason why the lock cannot be had.
    private enum Refusal: Error {
        case busy(LockHolder?)
        /// The file of the lock cannot be opened.
        case unwritable
        /// The file system knows no locks.
        case unsupported
    }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - folder: The store.
    ///   - waiting: `true` to wait for another writer to end.
    /// - Throws: `writeFailed` when another writer is at work and is not to be waited for, or the folder may not be
    ///   written.
    package convenience init(_ folder: URL, waiting: Bool) throws(EarshotError) {
        try self.init(folder, patience: waiting ? .endless : .none)
    }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - folder: The store.
    ///   - patience: The time to wait for another writer to end.
    /// - Throws: `writeFailed`, or what the patience says, when another writer is at work for longer; `writeFailed` when the
    ///   folder may not be written.
    package init(_ folder: URL, patience: LockPatience) throws(EarshotError) {
        do {
            descriptor = try Self.take(folder, patience)
        } catch {
            throw Self.error(error, folder, patience)
        }
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Takes the lock if it is free.
    ///
    /// - Returns: The lock; `nil` while another writer holds it.
    /// - Throws: `writeFailed` when the folder may not be written, or its file system knows no locks.
    package static func ifFree(_ folder: URL) throws(EarshotError) -> StoreLock? {
        do {
            return StoreLock(descriptor: try take(folder, .none))
        } catch {
            if case .busy = error { return nil }
            throw Self.error(error, folder, .none)
        }
    }

    /// Says in the lock who holds it, for programs that would change the store too.
    package func announce(_ holder: LockHolder) { holder.write(to: descriptor) }

    deinit {
        LockHolder.erase(from: descriptor)
        FileLock.release(descriptor)
    }

    private static func take(_ folder: URL, _ patience: LockPatience) throws(Refusal) -> Int32 {
        let path = folder.appendingPathComponent(fileName).path
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw .unwritable }
            let outcome = FileLock.take(descriptor, patience: patience) {
                LockHolder.read(from: descriptor) ?? LockHolder.holding(descriptor)
            }
            switch outcome {
            case .locked: break
            case .busy(let holder):
                close(descriptor)
                throw .busy(holder)
            case .failed:
                close(descriptor)
                throw .unsupported
            }
            // After waiting, the store may have been cleared and its lock deleted: then the file of that name is another one.
            var (held, named) = (stat(), stat())
            if fstat(descriptor, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino,
                held.st_dev == named.st_dev
            {
                LockHolder.current().write(to: descriptor)
                return descriptor
            }
            close(descriptor)
        }
    }

    private static func error(_ refusal: Refusal, _ folder: URL, _ patience: LockPatience) -> EarshotError {
        switch refusal {
        case .busy(let holder):
            if let refusal = patience.refusal { return refusal(folder.path, holder) }
            let who = holder?.description ?? "another program"
            return EarshotError(.writeFailed, "\(folder.path) is being changed by \(who): wait for it to end.")
        case .unwritable:
            return EarshotError(
                .writeFailed,
                "\(folder.path) cannot be changed: check that it is there and that you may write in it."
            )
        case .unsupported:
            return EarshotError(
                .writeFailed,
                "\(folder.path) cannot be locked: put the store on a file system that knows locks."
            )
        }
    }
}
